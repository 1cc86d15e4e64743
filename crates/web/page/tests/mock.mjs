/**
 * An engine that knows a few positions by heart and speaks docs/web-protocol.md, for looking at the page
 * without any other engine. It is no part of what is built.
 */
const both = (en, ja = en) => ({ en, ja });

export const root = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";
const rest = "8P/9/9/9/9/9";

/** Position → move → [name, position]. */
const game = {
    [root]: {
        "3d3a": [both("+Rx3a", "３一龍"), `6+R1k/4B4/9/${rest} w Grb3g4s4n4l17p 2`],
        "G*2b": [both("G*2b", "２二金"), `8k/4B2G1/9/6+R1P/9/9/9/9/9 w rb3g4s4n4l17p 2`],
        "5b1f": [both("B-1f", "１六角"), `8k/9/9/6+R1P/9/8B/9/9/9 w Grb3g4s4n4l17p 2`],
        "5b1f+": [both("B-1f+", "１六角成"), `8k/9/9/6+R1P/9/8+B/9/9/9 w Grb3g4s4n4l17p 2`],
    },
    [`6+R1k/4B4/9/${rest} w Grb3g4s4n4l17p 2`]: {
        "1a1b": [both("K-1b", "１二玉"), `6+R2/4B3k/9/${rest} b Grb3g4s4n4l17p 3`],
        "P*2a": [both("P*2a", "２一歩"), `6+Rpk/4B4/9/${rest} b Grb3g4s4n4l16p 3`],
    },
    [`6+R2/4B3k/9/${rest} b Grb3g4s4n4l17p 3`]: {
        "G*1c": [both("G*1c", "１三金"), `6+R2/4B3k/8G/${rest} w rb3g4s4n4l17p 4`],
        "G*2b": [both("G*2b", "２二金"), `6+R2/4B2Gk/9/${rest} w rb3g4s4n4l17p 4`],
    },
    [`8k/4B2G1/9/6+R1P/9/9/9/9/9 w rb3g4s4n4l17p 2`]: {
        "1a2b": [both("Kx2b", "２二玉"), `9/4B2k1/9/6+R1P/9/9/9/9/9 b r2b4g4s4n4l17p 3`],
    },
    [`6+Rpk/4B4/9/${rest} b Grb3g4s4n4l16p 3`]: {
        "3a2a": [both("+Rx2a", "２一龍"), `7+Rk/4B4/9/${rest} w GPrb3g4s4n4l16p 4`],
    },
};

/** What the proof plays, and the length it says. */
const proofMoves = new Map([
    ["", ["3d3a", 3]],
    ["3d3a", [undefined, 2]],
    ["3d3a 1a1b", ["G*1c", 1]],
    ["3d3a P*2a", ["3a2a", 1]],
    ["3d3a 1a1b G*1c", [undefined, 0]],
    ["3d3a P*2a 3a2a", [undefined, 0]],
]);

const examples = {
    shogi: root,
    chess: "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    othello: "OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- X",
    hex: "hex 6 ....../....../.B..../..W.../....../...... B",
    graph: "graph\na or b c\nb and a d\nc and d e\nd win\ne win",
};
const titles = {
    shogi: both("Tsume-shogi", "詰将棋"),
    chess: both("Chess", "チェス"),
    othello: both("Othello", "オセロ"),
    hex: both("Hex", "ヘックス"),
    graph: both("AND/OR graph", "AND/OR グラフ"),
};
const questions = {
    shogi: both("Black to move: is there a mate?", "先手番：詰みはあるか"),
    chess: both("White to move: is there a mate?", "白番：詰みはあるか"),
    othello: both("Black to move: does Black win?", "黒番：黒は勝つか"),
    hex: both("Black to move: does Black win?", "黒番：黒は勝つか"),
    graph: both("Is the root proven?", "根は証明されるか"),
};

export const welcome = {
    type: "welcome",
    version: 1,
    engine: "server",
    limits: { hash: 1024, threads: 2, seconds: 600, nodes: 1e9, certificate: 10_000_000 },
    games: Object.entries(examples).map(([name, example]) => ({
        name,
        title: titles[name],
        example,
        goals:
            name === "shogi"
                ? [
                      { goal: "mate", what: both("Mate; interpositions in vain do not count", "詰み（無駄合いは数えない）") },
                      { goal: "mate-counted", what: both("Mate; interpositions in vain count", "詰み（無駄合いも数える）") },
                  ]
                : [{ goal: "win", what: both("The side to move wins", "手番の側が勝つ") }],
    })),
    algorithms: [
        { name: "auto", what: both("What serves best: dfpn, in shogi dfpn-dag", "適したもの：dfpn、将棋では dfpn-dag"), threads: true },
        { name: "dfpn", what: both("Depth-first proof-number search", "深さ優先の証明数探索"), threads: true },
        { name: "pn", what: both("Best-first proof-number search", "最良優先の証明数探索"), threads: false },
    ],
    sets: [
        {
            name: "own500",
            problems: [3, 3, 5, 7, 9].map((plies, k) => ({ id: `own-00${plies}-00${k + 1}`, text: root, plies })),
        },
        { name: "zuko" },
    ],
};

const whichGame = (text) =>
    text.startsWith("graph")
        ? "graph"
        : text.startsWith("hex")
          ? "hex"
          : /^[XO-]{64}/.test(text)
            ? "othello"
            : text.split("/").length === 8
              ? "chess"
              : text.split("/").length === 9
                ? "shogi"
                : undefined;

function walk(text, played) {
    for (const move of played) {
        const next = game[text]?.[move];
        if (!next) return undefined;
        text = next[1];
    }
    return text;
}

/**
 * `ws`: a routed WebSocket. `log` collects what the page says. `hold`: searches run until they are stopped.
 */
export function mock(ws, { log = [], hold = false, token, data = Buffer.from("yomikiri certificate 1\n…").toString("base64") } = {}) {
    const send = (message) => ws.send(JSON.stringify(message));
    const searches = new Map();
    const refuse = (id, message, more = {}) => send({ type: "error", id, message, ...more });
    const progress = (id, k) => {
        const roots = [{ move: "3d3a", pn: Math.max(1, 40 - k), dn: 100 + 12 * k }, { move: "G*2b", pn: "infinity", dn: 0 }];
        const line = ["3d3a", "1a1b", "G*1c"].slice(0, 1 + (k % 3));
        const bounds = { at_least: 1, at_most: 5 };
        send({ type: "progress", id, seconds: k / 10, nodes: 52_340 * k, rate: 500_000 + 20_000 * Math.sin(k), pn: Math.max(1, 40 - k), dn: 100 + 12 * k, depth: 12 + k, stored: 4000 * k, capacity: 1_000_000, line, roots, bounds });
    };
    const answered = (id) => {
        const line = ["3d3a", "1a1b", "G*1c"];
        let text = root;
        const named = line.map((move) => {
            const [name, next] = game[text][move];
            text = next;
            return { move, name };
        });
        const claim = both("Black mates in at most 3 plies", "先手は3手以内に詰ます");
        const none = both("There is no mate in 2 plies or less", "2手以下の詰みはない");
        send({ type: "answer", id, verdict: "proven", words: both("proven: mate in 3 plies", "詰み：3手詰"), plies: 3, exact: true, line: named, complete: true, nodes: 523_400, seconds: 1.25, certificates: [{ which: "proof", claim, positions: 10, bytes: 320 }, { which: "shorter", claim: none, positions: 1, bytes: 60 }] });
    };
    const answer = (message) => {
        const { id, type } = message;
        switch (type) {
            case "hello":
                if (token !== undefined && message.token !== token) return send({ type: "error", message: both("This server wants its token.", "トークンが必要です。") });
                return send(welcome);
            case "read": {
                const text = message.text.trim();
                const name = whichGame(text);
                if (text.startsWith("後手")) return send({ type: "position", id, game: "shogi", text: root, goal: "mate", question: questions.shogi, turn: "first", record: { moves: [], at: 0 } });
                if (!name) return refuse(id, both("This is no position of any game here.", "どのゲームの局面でもありません。"), { line: 1, column: 1 });
                if (name === "shogi" && !/k/.test(text.split(" ")[0])) return refuse(id, both("White has no king.", "後手の玉がありません。"));
                return send({ type: "position", id, game: name, text, goal: message.goal ?? welcome.games.find((g) => g.name === name).goals[0].goal, question: questions[name], turn: "first" });
            }
            case "moves": {
                const text = walk(message.text, message.played);
                if (text === undefined) return refuse(id, both("There is no such move.", "そのような手はありません。"));
                const moves = Object.entries(game[text] ?? {}).map(([move, [name]]) => ({ move, name }));
                const over = moves.length === 0 && text.endsWith(" 4") && whichGame(text) === "shogi" ? { over: both("Mate.", "詰み。") } : {};
                return send({ type: "moves", id, text, moves, ...over });
            }
            case "solve": {
                if (searches.size > 0) return refuse(id, both("One search at a time.", "探索は一度に一つです。"));
                send({ type: "queued", id, place: 2 });
                const search = { k: 0, paused: false };
                searches.set(id, search);
                search.timer = setInterval(() => {
                    if (search.k === 0) send({ type: "started", id });
                    if (!search.paused) progress(id, (search.k += 1));
                    if (!hold && search.k >= 5) end(id);
                }, 30);
                return;
            }
            case "pause":
                searches.get(id).paused = true;
                return send({ type: "paused", id });
            case "go-on":
                searches.get(id).paused = false;
                return;
            case "stop": {
                clearInterval(searches.get(id).timer);
                searches.delete(id);
                return send({ type: "answer", id, verdict: "unknown", reason: "stopped", words: both("unknown: stopped", "未解決：中止"), exact: false, line: [], complete: false, nodes: 1000, seconds: 0.5, certificates: [] });
            }
            case "certificate":
                return send({ type: "certificate", id, data, positions: 10, claim: both("Black mates") });
            case "open":
                if (!atob(message.certificate).startsWith("yomikiri certificate")) return refuse(id, both("This is no certificate.", "証明書ではありません。"));
                return send({ type: "opened", id, proof: 1, text: root, claim: both("Black mates in at most 3 plies", "先手は3手以内に詰ます"), value: "proven", plies: 3, positions: 10, bytes: 320 });
            case "node":
            case "children": {
                const text = walk(root, message.played);
                const key = message.played.join(" ");
                const [answer, plies] = proofMoves.get(key) ?? [];
                const known = proofMoves.has(key);
                const all = Object.entries(game[text] ?? {}).map(([move, [name]]) => {
                    const child = proofMoves.get(`${key} ${move}`.trim());
                    return { move, name, known: child !== undefined, ...(child && { plies: child[1], positions: 2 + child[1] }) };
                });
                const from = message.from ?? 0;
                return send({ type: "node", id, text, played: message.played, kind: message.played.length % 2 === 0 ? "or" : "and", known, ...(known && { plies }), replies: all.slice(from, from + (message.count ?? 50)), all: all.length });
            }
            case "check":
                return send({ type: "checked", id, accepted: true, positions: 10, seconds: 0.01, where: "server" });
            case "export": {
                const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#eee"/></svg>';
                const files = { kif: ["problem.kif", "text/plain", "手合割：詰将棋\n"], json: ["problem.json", "application/json", "{}"], svg: ["problem.svg", "image/svg+xml", svg] };
                const [name, kind, content] = files[message.format];
                return send({ type: "exported", id, name, kind, data: content });
            }
            case "close":
                return;
            default:
                return refuse(id, both(`Unknown kind of message: ${type}.`));
        }
    };
    const end = (id) => {
        clearInterval(searches.get(id).timer);
        searches.delete(id);
        answered(id);
    };
    ws.onMessage((text) => {
        const message = JSON.parse(text);
        log.push(message);
        answer(message);
    });
    ws.onClose(() => searches.forEach(({ timer }) => clearInterval(timer)));
    return {
        stopTimers: () => searches.forEach(({ timer }) => clearInterval(timer)),
    };
}
