//! The help of the tsume-shogi commands in Japanese.
//!
//! The tree of commands and options is clap's, from the English of the code; here every text of it is
//! replaced, by the path of the command and the name of the option. clap breaks lines at blanks only,
//! of which Japanese has none, so lines are broken here. Other commands keep their English pages, but
//! for the line about them.

use clap::{Arg, Command};
use terminal_size::{Width, terminal_size};

use crate::columns::wrap;

/// A command's page.
struct Page {
    /// The words after `yomikiri`.
    path: &'static str,
    /// What each of its arguments is, by its name in the code.
    arguments: &'static [(&'static str, &'static str)],
    /// What comes after the options: examples, exit codes.
    notes: &'static str,
}

/// What every command is, by its words after `yomikiri`.
const COMMANDS: &[(&str, &str)] = &[
    ("", "局面を AND/OR 探索で読み切り、詰み・不詰を証明書つきで証明する"),
    ("solve", "問題を解く（詰み・不詰の証明、最短手数、証明書）"),
    ("serve", "ページを開く：局面を並べ、探索を見て、証明を相手に指す"),
    ("usi", "将棋 GUI の詰将棋エンジンとして動く（USI）"),
    ("engine", "チェスのエンジンとして動く"),
    ("match", "エンジン同士を対局させる"),
    ("tsume", "詰将棋の道具（余詰検討・変換・作図・表示）"),
    ("tsume check", "余詰検討：解は一つだけか"),
    ("tsume convert", "棋譜・図面の形式を変換する"),
    ("tsume make", "詰将棋を自動で作る（完全作、または難しい問題）"),
    ("tsume merge", "作った問題のファイルを、証明書で確かめて一つにまとめる"),
    ("tsume same", "左右反転や平行移動で重なる図（同一図・類似図）を探す"),
    ("tsume show", "図面と、棋譜に書かれていることを表示する"),
    ("check", "証明書をゲームのルールだけで検査する"),
    ("bench", "決まった問題を解き、ノード数や時間を測る"),
    ("cluster", "多くのエンジンを一つのエンジンとして使う（UCI・USI）"),
    ("worker", "このコンピューターのエンジンをクラスターに貸す"),
    ("games", "解けるゲームと、局面の書き方"),
    ("algorithms", "探索法の一覧"),
    ("lab", "論文の実験を再現する"),
    ("completions", "シェルの補完スクリプトを出力する"),
    ("man", "マニュアルページを出力する"),
    ("help", "このヘルプか、コマンドのヘルプを表示する"),
    ("tsume help", "このヘルプか、コマンドのヘルプを表示する"),
];

/// Arguments that every command has.
const COMMON: &[(&str, &str)] = &[
    ("help", "ヘルプを表示する（-h は短く、--help は詳しく）"),
    ("version", "バージョンを表示する"),
    ("color", "色を付けるか（NO_COLOR と CLICOLOR_FORCE にも従う）"),
    ("lang", "ヘルプ・表示・エラーの言語 [既定: LC_ALL、LC_MESSAGES、LANG が ja で始まれば日本語]"),
];

const PAGES: &[Page] = &[
    Page {
        path: "",
        arguments: &[],
        notes: "\
例:
  yomikiri solve '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1'
  yomikiri solve --file problem.kif --certificate mate.cert
  yomikiri check mate.cert
  yomikiri tsume check --file problem.kif
  yomikiri serve --open
  yomikiri games

`solve`、`tsume`、`check`、`serve` のほかのコマンドのヘルプと表示は英語です。",
    },
    #[cfg(feature = "serve")]
    Page {
        path: "serve",
        arguments: &[
            ("port", "ポート。0 なら空いているものを選んで表示する"),
            ("address", "待ち受けるアドレス。このコンピューターの外から使えるアドレスにはトークンが要る"),
            ("open", "ブラウザでページを開く"),
            ("token", "訪問者に求めるトークン。16文字以上の英数字と -._~ （ほかの利用者に `ps` で見えることがある）"),
            ("token_file", "トークンを書いたファイル"),
            ("searches", "同時に動く探索の数。ほかは順番を待つ [既定: コアの数]"),
            ("visitors", "同時に訪れる人（接続）の数"),
            ("hash", "一つの探索の置換表の上限（MiB）"),
            ("memory", "全員の作業に使うメモリの上限（MiB）。ほかに小さなもので最大その4分の1 [既定: --hash の8倍、空きメモリの半分まで]"),
            ("threads", "一つの探索のスレッド数の上限 [既定: 自分だけで使うときは全コア、ほかは 1]"),
            ("time", "一つの探索の秒数の上限 [既定: 自分だけで使うときはなし、ほかは 600]"),
        ],
        notes: "\
例:
  yomikiri serve --open
  yomikiri serve --port 0
  yomikiri serve --address 0.0.0.0 --token-file token.txt --searches 4 --time 120

ページは、表示されたアドレスをブラウザで開くと使えます。指定しなければ、このコンピューターからしか使えません。
ほかの人にも使ってもらうときは、トークンを決めて知らせます（ページが尋ねます。`https://…/#token=…` の形で渡すこともできます）。`--token`、`--token-file`、環境変数 `YOMIKIRI_TOKEN` のどれかで指定します。通信は暗号化されないので、インターネットでは `https` のプロキシの後ろに置いてください。
混んでいるときは順番を待ち、何番目かが表示されます。長い探索は、待っている人がいれば3秒ごとに順番を譲ります。結果の出た探索や休んでいる探索の置換表は、ほかの人が必要とするまで残ります。

Ctrl-C で終わります。終了コード: 0 正常、2 始められない（ポートが使われているなど）。",
    },
    Page {
        path: "tsume",
        arguments: &[],
        notes: "\
例:
  yomikiri tsume check --file problem.kif
  yomikiri tsume convert --file problem.kif --to sfen
  yomikiri tsume make --count 3 --plies 5
  yomikiri tsume show '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1'

それぞれの詳しい使い方は `yomikiri tsume check --help` などにあります。",
    },
    Page {
        path: "tsume check",
        arguments: &[
            ("problems", "問題。SFEN、または棋譜全体"),
            ("file", "問題のファイル。SFEN の行、表、KIF、KI2、CSA、JKF。何度でも指定できる"),
            ("own_line", "棋譜の手順を作意とみなさず、自分で解いた手順を調べる"),
            ("futile", "無駄合いを手数に数えるか"),
            ("attacker", "攻方（詰ます側）"),
            ("hash", "置換表のメモリ（MiB）。何題もあるときは --jobs 全部の合計"),
            (
                "jobs",
                "何題もあるとき: 同時に調べる数。それぞれが --hash を N で割った置換表を持つ。表示の順は変わらない [既定: コアの数。ただし一つに --hash の 16 MiB は割り当てる]",
            ),
            ("nodes", "一つの探索をこのノード数で打ち切る（k、M、G が使える）"),
            ("time", "一題をこの秒数で打ち切る"),
            ("variations", "変化の中の攻方の手番をいくつまで調べるか。0 なら本手順だけ"),
            ("necessity", "すべての駒が必要か調べ、不要駒を挙げる"),
            ("most", "指摘を種類ごとに何件まで表示するか"),
            ("kif", "一題ごとに KIF（手順・変化と、指摘のコメント）をこのフォルダに書く"),
            ("force", "これらのフォルダにすでにあるファイルを置き換える"),
            ("svg", "一題ごとに図面（SVG）をこのフォルダに書く"),
            ("sheet", "一題ごとに印刷用のページ（.html）をこのフォルダに書く"),
            ("certificates", "すべての答え（その手では詰まないことも含む）の証明書をこのフォルダに書く"),
            ("json", "一題ごとに JSON を一つ出力する"),
            ("quiet", "進み具合を出さず、一題を一行で表示する"),
        ],
        notes: "\
例:
  yomikiri tsume check '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1'
  yomikiri tsume check --file problem.kif
  yomikiri tsume check --file problem.kif --own-line
  yomikiri tsume check --file problem.kif --necessity
  yomikiri tsume check --file problem.kif --sheet folder
  yomikiri tsume check --file problems.tsv --time 60 --json
  yomikiri tsume check --file problems.tsv -q --jobs 4 --hash 1024

ファイルに手順があれば、それを作意として調べます。攻方の手番ごとに、作意のほかの王手をすべて読み切ります。見つかったものは次のように分けます。
  余詰        ほかにも詰みがある
  早詰        もっと短い詰みがある
  手順前後    同じ手を別の順に指しても詰む
  変長        作意より長く逃げる変化がある
  逃れ        作意の途中に不詰の変化がある
  迂回手順    遠回りして作意に戻る
  成・不成の非限定、打ち場所の非限定
  最終手余詰  最終手にほかの詰みがある
  変同        同じ長さの変化がある
初めの五つは不完全とします。駒余り（作意の、またはどの最長手順でも、攻方の持駒が残る）も不完全とします（`--futile counted` のときは駒余りを調べません）。迂回手順と非限定は瑕疵、最終手余詰と変同は許容とします。一手詰では、初手の別解を余詰とします。

棋譜の手順は、そのまま調べます。棋譜がなく、同じ長さの手順がいくつもあるとき（変同）は、どれも作意でありうるので、不備の最も少ない手順を示して判定します。

本手順のあと、変化（玉方のほかの応手）の中でも攻方のほかの王手を調べます。変化の中の余詰は慣例により不問なので、別に示し、判定には数えません。王手をかけている駒で取れる合駒は、ほとんどが無駄合いなので省きます。

`--necessity` は、玉のほかの駒を一枚ずつ取り除いたり弱い駒（成駒は生駒、金は銀、飛は香、銀・香は歩）に替えたりして、もう一度調べます。取り除いた駒は玉方の持駒になります（玉方の持駒が残り全部でない問題では、盤外に置きます）。なくてもよい駒（不要駒）を挙げます。判定は変わりません。

`--time` は、本手順、変化、駒の要否の順に、全部を合わせた時間です。打ち切られた分は未解決と示します。

終了コード: 0 すべて完全、1 未解決あり、3 不完全または不詰あり、2 入力の誤り。何題もあるときは 2、3、1 の順に優先します。
Ctrl-C で打ち切り、それまでの結果を表示します。",
    },
    Page {
        path: "tsume convert",
        arguments: &[
            ("problems", "局面。SFEN、または棋譜全体"),
            ("file", "問題のファイル。SFEN の行、表、KIF、KI2、CSA、JKF。何度でも指定できる"),
            ("to", "出力の形式 [既定: --out の拡張子による。拡張子がなければ `sfen`]"),
            ("out", "出力先 [既定: 標準出力]。何題もあるときはフォルダ"),
            ("force", "--out のフォルダにすでにあるファイルを置き換える"),
            ("encoding", "文字コード"),
            ("time", "`html` のとき: 一題の解答に使う秒数の上限。変化にも同じだけ使う [既定: 10]"),
            ("hash", "`html` のとき: 置換表のメモリ（MiB） [既定: 256]"),
        ],
        notes: "\
例:
  yomikiri tsume convert --file problem.kif
  yomikiri tsume convert --file problem.kif --out problem.csa
  yomikiri tsume convert --file problems.tsv --to kif --out folder
  yomikiri tsume convert --to board '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1'
  yomikiri tsume convert --file problem.kif --out problem.svg
  yomikiri tsume convert --file problems.tsv --out problems.html

--out の拡張子で形式が決まります: `sfen usi kif kifu ki2 ki2u csa jkf json svg png html htm`、盤面は `bod` か `txt`。USI と CSA に入るのは本手順だけで、KIF・KI2・JKF には変化も入ります。作品名や作者などは、SFEN・USI・盤面・図面を除いて引き継がれます。

図面は SVG か PNG です。ページ（`html`）には図面と、探索した解答・変化が入り、何題でも一つのファイルになります。PNG を書くには、`--features png` を付けて作った yomikiri と日本語フォントが要ります。
終了コード: 0 正常、1 Ctrl-C で打ち切り、2 読み書きできないものがあった。",
    },
    Page {
        path: "tsume make",
        arguments: &[
            ("count", "作る数"),
            ("plies", "手数。3..9 のような範囲か、一つの手数"),
            ("seed", "乱数の種。種ごとに違う問題ができる"),
            ("sound", "問題の条件"),
            ("from", "無作為な局面の代わりに、このファイルの問題から始める（難しい問題を作るとき）"),
            ("out", "出力先 [既定: 標準出力]。もとの中身は、最初の一題ができたときに置き換わる"),
            ("time", "この秒数で打ち切る"),
            ("nodes", "局面についての一つの探索に使うノード数の目安（k、M、G が使える）"),
            ("json", "一題ごとに、解答つきの JSON を一つ出力する"),
            ("quiet", "進み具合とまとめを表示しない"),
        ],
        notes: "\
例:
  yomikiri tsume make
  yomikiri tsume make --count 100 --plies 5..13 --seed 7 --out mine.tsv
  yomikiri tsume make --count 1 --plies 21 --time 600
  yomikiri tsume make --count 20 --json
  yomikiri tsume make --sound length --plies 31..101 --count 10 --seed 3 --out hard3.tsv

玉のまわりに少しの駒を置き、完全作になったものを二手ずつ逆向きに延ばします。同じ系列からは一題だけ残します。どれも厳密な完全作です。攻方の手はどれも（最終手も）唯一で、駒は余らず、不要な駒はなく、無駄合いもありません。その手数で詰み、それより短くは詰まないことを、書く前に証明書で確かめます。

`--sound length` では、きれいな問題ではなく難しい問題を作ります。駒の多い図を無作為に並べ、17手以上で詰むものから、詰みが短くならないかぎり無作為に変えていきます（駒を動かす、足す、取り除く、取り替える、持駒を変える、手を戻す）。同じ系列からは三題まで残します。正しいのは手数だけです。無駄合いを数えない手数で、証明書で確かめますが、余詰や不要な駒はあるかもしれません（ファイルの先頭にもそう書きます）。最初の詰みを見つけるのに3千から百万ノードかかります。31手以上のものは、1コアで1分に三題ほどできます。いくつかの種を同時に動かし、`yomikiri tsume merge` でまとめてください。

一行に SFEN・番号・手数をタブ区切りで、できるたびに書きます。短い問題ほど多くできます。25手のものは10分に一題ほどです。同じオプションなら同じ問題が同じ順にできます。--time や Ctrl-C で打ち切っても、できた分は残ります。

終了コード: 0 すべてできた、1 途中で打ち切り、2 入力の誤り。",
    },
    Page {
        path: "tsume merge",
        arguments: &[
            ("file", "問題のファイル。何度でも指定できる"),
            ("count", "問題の数の上限"),
            ("plies", "手数。3..9 のような範囲か、一つの手数"),
            ("sound", "問題の条件"),
            ("jobs", "同時に調べる数 [既定: コアの数]"),
            ("out", "出力先 [既定: 標準出力]"),
            ("quiet", "進み具合とまとめを表示しない"),
        ],
        notes: "\
例:
  yomikiri tsume merge --file hard1.tsv --file hard2.tsv --sound length --plies 31..101 \\
    --out hard.tsv
  yomikiri tsume merge --file mine.tsv --plies 9..11 --count 20

一題ごとに空の置換表で解き直し、その手数で詰むことと、それより短くは詰まないことを証明書で確かめます。条件に合わないもの、手数の違うもの、ほかの問題と重なる図（`tsume same`）や同じ局面になるものは除きます。残りから、長い手数から順に一題ずつ、--count 題まで選びます。問題は手数の順に並べ、番号を付け直します。ファイルの先頭の説明は残します。

終了コード: 0 指定の数だけあった、1 足りない、2 入力の誤り。",
    },
    Page {
        path: "tsume same",
        arguments: &[
            ("problems", "局面。SFEN、または棋譜全体"),
            ("file", "問題のファイル。SFEN の行、表、KIF、KI2、CSA、JKF。何度でも指定できる"),
            ("known", "既知の問題のファイル。これらと重なるものだけを挙げる。何度でも指定できる"),
            ("json", "一組ごとに JSON を一つ出力する"),
        ],
        notes: "\
例:
  yomikiri tsume same --file mine.kif --known collection.tsv
  yomikiri tsume same --file a.tsv --file b.kif
  yomikiri tsume same '8k/9/8P/9/9/9/9/9/9 b G 1' '4k4/9/4P4/9/9/9/9/9/9 b G 1' --json

左右反転、全部の駒の平行移動、またはその両方で盤上の駒がすべて重なり、攻方の持駒が同じ図を一組とします。玉方の持駒は違ってもかまいません（違えばそう示します）。平行移動した図は、盤の端や成れる範囲が違うので、同じ解とは限りません。後手が攻方の図は、盤を回して比べます。

終了コード: 0 なし、3 あり、2 入力の誤り。",
    },
    Page {
        path: "tsume show",
        arguments: &[
            ("problems", "局面。SFEN、または棋譜全体"),
            ("file", "問題のファイル。SFEN の行、表、KIF、KI2、CSA、JKF。何度でも指定できる"),
            ("json", "一題ごとに JSON を一つ出力する"),
            ("to", "図面か、解答・変化つきのページにする"),
            ("out", "--to のとき: 出力先 [既定: 標準出力]。図面が何枚もあるときはフォルダ"),
            ("force", "--to のとき: --out のフォルダにすでにあるファイルを置き換える"),
            ("time", "`--to html` のとき: 一題の解答に使う秒数の上限。変化にも同じだけ使う [既定: 10]"),
            ("hash", "`--to html` のとき: 置換表のメモリ（MiB） [既定: 256]"),
        ],
        notes: "\
例:
  yomikiri tsume show '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1'
  yomikiri tsume show --file problem.kif
  yomikiri tsume show --file problems.tsv
  yomikiri tsume show --file problem.kif --to svg > problem.svg
  yomikiri tsume show --file problem.kif --to html --out problem.html

図面とページは `tsume convert` のものと同じです。
終了コード: 0 正常、1 Ctrl-C で打ち切り、2 読めないものがあった。",
    },
    Page {
        path: "check",
        arguments: &[
            ("files", "証明書（`-` は標準入力）"),
            ("problem", "証明書の問題はこれでなければならない"),
            ("goal", "その問題の目的。文中に書いてあれば不要"),
            ("time", "証明書一つをこの秒数で打ち切る"),
            (
                "memory",
                "検査にこれより多くのメモリ（MiB）が要る証明書は打ち切る [省略時: 空きの4分の3]",
            ),
            ("json", "証明書ごとに JSON を一つ出力する"),
        ],
        notes: "\
例:
  yomikiri check mate.cert
  yomikiri check --problem '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1' mate.cert
  yomikiri check --time 60 large.cert

終了コード: 0 すべて正しい、1 検査しきれなかったものがある（--time、--memory、Ctrl-C）、3 誤りがある、2 読めないものや証明書でないものがある。
いくつもあるときは、いちばん悪いものになる（2 が 3 より、3 が 1 より悪い）。",
    },
    Page {
        path: "solve",
        arguments: &[
            ("problems", "問題。一題を一つの引数に書く"),
            (
                "file",
                "問題のファイル（`-` は標準入力）。一行に一題、または棋譜一つ、グラフ一つ。何度でも指定できる",
            ),
            ("at", "棋譜: N手目のあとの局面を解く"),
            ("last", "棋譜: 最後の局面を解く [既定。手順が詰将棋の解答のときは最初の局面]"),
            (
                "every",
                "棋譜: すべての局面について、手番側に詰みがあったか、逃したかを調べる。制限は局面ごと [既定: --nodes 1M]",
            ),
            ("game", "ゲーム。指定しなければ、問題の書き方から判断する"),
            ("goal", "攻方の目的（`yomikiri games` を参照）"),
            (
                "shortest",
                "最短の詰みと、それより短い詰みがないことの証明を求める。グラフとオセロでは最短の証明。将棋ではいつもそうする",
            ),
            ("any_mate", "将棋: 最初に見つけた詰みで終わる。指定しなければ最短の詰みを求める"),
            ("futile", "将棋: 無駄合いを手数に数えるか [既定: not-counted]"),
            ("attacker", "将棋: 攻方（詰ます側） [既定: auto]"),
            ("kif", "将棋: 解答を変化つきの KIF で書く。何題もあるときはフォルダ"),
            ("algorithm", "探索法"),
            (
                "r",
                "`deep-` の付く探索法の R。1 なら証明数だけ、0 なら深さで選ぶ [既定: ゲームに合わせて決める]",
            ),
            ("epsilon", "df-pn の 1+ε しきい値の ε。0 なら使わない"),
            ("sums", "df-pn で子の証明数を足し合わせる方法"),
            ("plies", "この手数以内の証明だけを探す（df-pn）"),
            ("plain", "手の順序、初期値、ゲームの知識を使わない"),
            ("hash", "置換表（`pn` では木）のメモリ（MiB）。何題もあるときは --jobs 全部の合計"),
            (
                "jobs",
                "何題もあるとき: 同時に解く数。それぞれが --hash を N で割った置換表を持つ。表示の順は変わらない [既定: コアの数 ÷ --threads。ただし一つに --hash の 16 MiB は割り当てる]",
            ),
            ("nodes", "このノード数で打ち切る（k、M、G が使える）"),
            ("time", "この秒数で打ち切る"),
            (
                "certificate",
                "証明書を書く。何題もあるときはフォルダで、それぞれ ID.cert になる。ここでも以下でも `-` は標準出力で、そのときほかの表示は標準エラー出力に出る",
            ),
            ("force", "--certificate と --kif のフォルダにすでにあるファイルを置き換える"),
            ("save_table", "探索のあと置換表を保存する（一題、df-pn）"),
            ("load_table", "保存した置換表から続ける（一題、df-pn、同じ --hash）"),
            ("json", "一題ごとに JSON を一行に出力する（中身は docs/json.schema.json）"),
            ("quiet", "進み具合を出さず、一題を一行で表示する"),
            (
                "threads",
                "このスレッド数で探索する。`auto` は全コア（df-pn、`virtual`、`pincers`） [既定: 1。`virtual` と `pincers` は 2]",
            ),
            (
                "virtual",
                "手を選ぶとき、その手の先にいる別のエージェント一つをいくつと数えるか（0 から 1000）。`paper` は論文のとおり（1、しきい値と記録にも入れる）（`virtual`） [既定: 将棋は 1、ほかは 8]",
            ),
            (
                "turns",
                "全エージェントを1スレッドで、このノード数ずつ交代で動かす。同じ結果が再現できる（`virtual`）",
            ),
            ("pseudo_threads", "1スレッドで動かすリーダーとワーカーの合計（`mps`） [既定: 8]"),
            (
                "assignment",
                "どの擬似スレッドを同じスレッドに置くか。L はリーダー、S はワーカー、| はスレッドの区切り（`pmps`） [既定: L|S,S]",
            ),
            ("quantum", "リーダーの一回のノード数（`mps`、`pincers`、`pmps`） [既定: 1000]"),
            (
                "quanta",
                "ワーカーの一回のノード数。`shares` は合わせて同じ、`equally` はそれぞれ同じ、`tenth` は合わせて十分の一、`weight:1.75` はそれぞれ 1.75 分の一（`mps`、`pmps`） [既定: 一スレッドでは合わせて同じ、複数ではそれぞれ同じ]",
            ),
            (
                "cover",
                "ワーカーが一つの子をどこまで調べるか。`least` はその証明数を少し超えるまで、`branch` は分岐した節点のしきい値まで、`solved` は解けるまで（`mps`、`pincers`、`pmps`） [既定: least]",
            ),
        ],
        notes: "\
例:
  yomikiri solve '8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1'
  yomikiri solve --file problem.kif --kif solution.kif --certificate mate.cert
  yomikiri solve --file problems.tsv --json -q
  yomikiri solve --file problems.tsv -q --jobs 4 --hash 1024
  yomikiri solve --file problem.kif --threads auto --time 60
  yomikiri solve --file game.kif --every --time 5
  yomikiri solve --file game.csa --at 87
  yomikiri solve < problem.txt

詰将棋の書き方: SFEN（前に `position sfen`、後に `moves` を付けてもよい）。ファイルでは一行に一局面、またはタブ区切りの表（SFEN、番号、手数。番号は先頭でもよい）。KIF・KI2・CSA・JKF のファイル（UTF-8 か Shift_JIS）では、詰将棋の解答なら初手の前、対局なら最後の局面を解きます（--at、--last、--every で選べます）。KIF・KI2 の図面に玉方の持駒の行がなければ残り全部とみなし、その旨を表示します。「後手の持駒：なし」と書けば、なしです。
攻方は手番側です。ただし、手番側が王手されているか、玉が手番側にしかなければ、手番側を玉方とします。

目的（--goal）:
  `mate`          無駄合いを数えない（既定）
  `mate-counted`  無駄合いも数える
  `mate:white`    手番によらず後手が攻方。`:black` もあり、`mate-counted` にも付けられる
文の終わりに `goal mate-counted` のように書くこともできます。ほかのゲームの書き方（英語）は `yomikiri games` にあります。

問題は、ファイルにある名前か、何題目かの番号で呼びます。名前が重なるときは、一題がその名前のまま、ほかは「名前-2」「名前-3」…となります（表示・JSON・ファイル名とも）。

終了コード: 0 すべて解決、1 未解決あり、2 入力の誤り。
Ctrl-C で探索をやめ、それまでの結果と、解いていない問題を表示します。もう一度押すと、すぐに終わります。",
    },
];

/// What the values of an argument mean.
const VALUES: &[(&str, &str, &str)] = &[
    ("color", "auto", "端末のときだけ"),
    ("color", "always", "いつも"),
    ("color", "never", "付けない"),
    ("lang", "ja", "日本語"),
    ("lang", "en", "英語"),
    ("futile", "counted", "ほかの手と同じに数える"),
    ("futile", "not-counted", "数えない。無駄合いしかなければ詰みとする"),
    ("sound", "strict", "厳密な完全作"),
    ("sound", "length", "手数だけが正しい難しい問題。余詰があるかもしれない"),
    ("attacker", "black", "先手"),
    ("attacker", "white", "後手"),
    ("attacker", "auto", "手番側。ただし王手されているか、玉が手番側にしかなければ相手側"),
    ("to", "sfen", "局面の SFEN（指し手なし）"),
    ("to", "usi", "USI の `position`（指し手つき）"),
    ("to", "kif", "KIF 形式"),
    ("to", "ki2", "KI2 形式"),
    ("to", "csa", "CSA 形式"),
    ("to", "jkf", "JKF 形式（JSON）"),
    ("to", "board", "盤面だけ"),
    ("to", "svg", "図面"),
    ("to", "png", "図面（画像）"),
    ("to", "html", "図面・解答・変化のページ"),
    ("encoding", "utf8", "UTF-8 で書く"),
    ("encoding", "shift-jis", "Shift_JIS で書く（古いソフト用）"),
    ("game", "graph", "テキストで書いた AND/OR グラフ"),
    ("game", "othello", "オセロ"),
    ("game", "hex", "ヘックス"),
    ("game", "chess", "チェスの詰み"),
    ("game", "shogi", "詰将棋（王手の連続で詰ます）"),
    (
        "algorithm",
        "auto",
        "最も適したもの。将棋では `dfpn-dag` に分配と他の持駒の数値を加えたもの、ほかは `dfpn`",
    ),
    ("algorithm", "dfpn", "深さ優先の証明数探索。初期値、1+ε、しきい値制御つき"),
    ("algorithm", "dfpn-plain", "教科書どおりの df-pn。しきい値制御は同一局面があるゲームだけ"),
    ("algorithm", "dfpn-dag", "合流する子を一度だけ数える `dfpn`"),
    (
        "algorithm",
        "dfpn-weak",
        "弱証明数の `dfpn`（最大値と、未解決の子の数から1を引いたものの和）",
    ),
    ("algorithm", "deep-dfpn", "深さの値を使う `dfpn`。R は --r がなければゲームに合わせる"),
    (
        "algorithm",
        "virtual",
        "仮想証明数を使う `auto`（--threads と同じ）。指定がなければ2スレッド",
    ),
    (
        "algorithm",
        "mps",
        "1スレッドの擬似スレッドで動く `auto`。リーダーと、別の手順を読むワーカー",
    ),
    (
        "algorithm",
        "pincers",
        "AOHPAS。`auto` のリーダーと反対側からのワーカーに、それぞれ1スレッド",
    ),
    ("algorithm", "pmps", "並列の `mps`。擬似スレッドを --assignment のスレッドに置く"),
    ("algorithm", "pn", "最良優先の証明数探索。木の大きさは --hash まで"),
    ("algorithm", "pn-deepest", "同点なら最も深い節点を選ぶ `pn`"),
    ("algorithm", "deep-pn", "DeepPN。深さの値を使う `pn`。R は --r がなければゲームに合わせる"),
    ("sums", "plain", "すべての和"),
    ("sums", "dag", "合流する子は一度だけ数える"),
    ("sums", "weak", "最大値に、ほかの未解決の子を1ずつ加える"),
];

/// The same commands and options, with help in Japanese.
pub fn in_japanese(mut command: Command) -> Command {
    // Only what is built has all of its parts: options for all commands, and the help.
    command.build();
    let width = width();
    translated(command, "", width, width)
}

/// The columns that clap would fill.
fn width() -> usize {
    const MOST: usize = 100;
    let named = || std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = terminal_size().map(|(Width(columns), _)| usize::from(columns));
    terminal.or_else(named).unwrap_or(MOST).clamp(20, MOST)
}

/// Translates a command and all below it. In the list of its parent it has less room than on its own
/// page.
fn translated(mut command: Command, path: &str, width: usize, listed: usize) -> Command {
    if let Some(about) = about(path) {
        command = command.about(wrap(&about, listed).join("\n"));
    }
    let names = command.get_subcommands().map(|subcommand| subcommand.get_name().len());
    // Two blanks before a name and two after it.
    let listed = width.saturating_sub(names.max().unwrap_or(0) + 4);
    for subcommand in command.get_subcommands_mut() {
        let name = subcommand.get_name();
        let path = if path.is_empty() { name.to_owned() } else { format!("{path} {name}") };
        *subcommand = translated(std::mem::take(subcommand), &path, width, listed);
    }
    match PAGES.iter().find(|page| page.path == path) {
        Some(page) => with_page(command, page, width),
        None => command,
    }
}

/// What a command is.
fn about(path: &str) -> Option<String> {
    let (_, about) = COMMANDS.iter().find(|(known, _)| *known == path)?;
    let feature = match path {
        "match" | "cluster" | "worker" if !cfg!(feature = "cluster") => "cluster",
        "lab" if !cfg!(feature = "lab") => "lab",
        "serve" if !cfg!(feature = "serve") => "serve",
        _ => return Some((*about).to_owned()),
    };
    Some(format!("{about}（このビルドにはない: --features {feature}）"))
}

fn with_page(mut command: Command, page: &Page, width: usize) -> Command {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").replace("[OPTIONS]", "[オプション]");
    let usage = usage.replace("<COMMAND>", "<コマンド>");
    let notes: Vec<String> = page.notes.lines().map(|line| wrap(line, width).join("\n")).collect();
    let about = wrap(&about(page.path).unwrap_or_default(), width).join("\n");
    command
        .override_usage(usage)
        .help_template(about + "\n\n使い方: {usage}\n\n{all-args}{after-help}")
        .subcommand_help_heading("コマンド")
        .after_help(notes.join("\n"))
        .after_long_help(notes.join("\n"))
        .mut_args(|argument| translated_argument(argument, page, width))
}

fn translated_argument(argument: Arg, page: &Page, width: usize) -> Arg {
    /// Where clap begins what is said of an argument, below its name.
    const INDENT: usize = 10;
    let id = argument.get_id().to_string();
    let known = page.arguments.iter().chain(COMMON).find(|(known, _)| *known == id);
    let Some((_, help)) = known else { return argument };
    let width = width.saturating_sub(INDENT);
    let heading = match argument.get_help_heading() {
        _ if argument.is_positional() => "引数",
        Some(_) => "複数のエージェント",
        None => "オプション",
    };
    let default: Vec<_> =
        argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let takes_values = argument.get_action().takes_values();
    let default = match default.is_empty() || !takes_values {
        true => String::new(),
        false => format!(" [既定: {}]", default.join(" ")),
    };
    let values = if takes_values { argument.get_possible_values() } else { Vec::new() };
    let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
    let values = match names.is_empty() {
        true => String::new(),
        false => format!(" [値: {}]", names.join("、")),
    };
    let mut long = wrap(&format!("{help}{default}"), width);
    for name in &names {
        let meaning = VALUES.iter().find(|(known, value, _)| *known == id && value == name);
        let meaning = meaning.map_or(String::new(), |(.., meaning)| format!(": {meaning}"));
        long.extend(wrap(&format!("  - {name}{meaning}"), width));
    }
    argument
        .help(wrap(&format!("{help}{default}{values}"), width).join("\n"))
        .long_help(long.join("\n"))
        .help_heading(heading)
        .next_line_help(true)
        .hide_default_value(true)
        .hide_possible_values(true)
}
