// The module as a browser would run it, in node. Exits with 1 and a line for the first thing that is wrong.
//
//   node engine.mjs engine.wasm NODES    NODES: what our own problems take a native engine, all together
//   node engine.mjs engine.wasm FILE     measures instead: nodes and seconds for each problem of a file (SFEN,
//                                        id, length between tabs), each in a single slice
//   node engine.mjs engine.wasm X.cert   measures what opening and checking a certificate takes
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [wasm, argument = ""] = process.argv.slice(2);
const nodes = /^\d+$/.test(argument) ? Number(argument) : undefined;

/** Loads the module with a clock; what it says is put into `messages`. */
async function load(now = () => performance.now()) {
  const messages = [];
  let exports;
  const bytes = (address, length) => new Uint8Array(exports.memory.buffer, address, length);
  const env = {
    now,
    send: (address, length) => messages.push(JSON.parse(new TextDecoder().decode(bytes(address, length)))),
  };
  ({ exports } = (await WebAssembly.instantiate(readFileSync(wasm), { env })).instance);
  const receive = (message) => {
    const text = typeof message === "object" && !(message instanceof Uint8Array) ? JSON.stringify(message) : message;
    const sent = typeof text === "string" ? new TextEncoder().encode(text) : text;
    const address = exports.alloc(sent.length);
    bytes(address, sent.length).set(sent);
    exports.receive(address, sent.length);
    exports.free(address, sent.length);
  };
  /** Puts a question and works on it until nothing is left to do: the last message, and how many slices. */
  const ask = (message, milliseconds = 1e6) => {
    messages.length = 0;
    receive(message);
    let slices = 1;
    while (exports.step(milliseconds)) slices += 1;
    return { ...messages.at(-1), slices };
  };
  return { ask, exports, messages };
}

const problems = (path) =>
  readFileSync(path, "utf8").split("\n").filter((line) => line && !line.startsWith("#")).map((line) => line.split("\t"));

const { ask, exports, messages } = await load();

/** The certificates of the last answer, each checked here: how many positions they have. */
function certified({ id, claims }) {
  let positions = 0;
  for (let which = 0; which < claims.length; which += 1) {
    const { data, message } = ask({ type: "certificate", id: 2, of: id, which });
    assert.ok(data, JSON.stringify(message));
    const checked = ask({ type: "check", id: 3, certificate: data });
    assert.ok(checked.accepted && checked.where === "browser", JSON.stringify(checked));
    positions += checked.positions;
  }
  return positions;
}

if (argument.endsWith(".cert")) {
  const certificate = readFileSync(argument).toString("base64");
  const timed = (what, message) => {
    const begin = performance.now();
    const said = ask(message);
    const memory = (exports.memory.buffer.byteLength / 2 ** 20).toFixed(0);
    console.log(`${what}\t${((performance.now() - begin) / 1000).toFixed(3)} s\t${memory} MiB in all\t${said.positions ?? ""} positions\t${said.claim?.en ?? said.message?.en}`);
    return said;
  };
  const opened = timed("opened", { type: "open", id: 1, certificate });
  const { replies } = timed("root", { type: "node", id: 2, proof: opened.id });
  timed("reply", { type: "node", id: 3, proof: opened.id, played: [replies[0].move] });
  timed("checked", { type: "check", id: 4, certificate });
  process.exit();
}

if (nodes === undefined) {
  for (const [text, id] of problems(argument)) {
    const answer = ask({ type: "solve", id: 1, text, hash: 256, length: "first" });
    const { verdict, nodes, seconds } = answer;
    console.log(`${id}\t${verdict}\t${nodes} nodes\t${seconds.toFixed(3)} s\t${Math.round(nodes / seconds)}/s\t${certified(answer)} positions`);
  }
  process.exit();
}

// All of ours, with their certificates: the same nodes as elsewhere.
const own = problems(new URL("../../../tsume/tests/data/own500.tsv", import.meta.url));
let total = 0;
for (const [text, id, plies] of own) {
  const answer = ask({ type: "solve", id: 1, text, hash: 1, length: "first" });
  assert.deepEqual([answer.verdict, answer.slices], ["proven", 1], id);
  assert.ok(answer.plies >= plies, `${id}: a mate in ${answer.plies}, where the shortest has ${plies}`);
  assert.ok(certified(answer) > plies / 2 && answer.seconds >= 0, `${id}: ${JSON.stringify(answer)}`);
  total += answer.nodes;
}
assert.equal(total, nodes, "nodes differ from those of a native engine: is the module made of these sources? (scripts/build-wasm.sh)");

// In slices, by a clock that leaps: a slice has then one turn of the search, whatever the machine. And to the
// shortest mate.
const [long] = own.find(([, id]) => id === "own-023-003");
const [short] = own[0];
let time = 0;
const leaping = await load(() => (time += 30));
const sliced = leaping.ask({ type: "solve", id: 1, text: long, hash: 16 }, 50);
assert.deepEqual([sliced.verdict, sliced.plies, sliced.exact], ["proven", 23, true]);
assert.ok(sliced.slices > 2, JSON.stringify(sliced));
const seen = leaping.messages.filter(({ type }) => type === "progress").map(({ nodes }) => nodes);
assert.ok(seen.every((nodes, i) => i === 0 || nodes >= seen[i - 1]), `nodes only grow: ${seen}`);

// No mate: a gold alone does not mate.
const none = ask({ type: "solve", id: 1, text: "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1" });
assert.equal(none.verdict, "disproven");
assert.ok(certified(none) > 0);

// Other games.
for (const text of ["hex 3 .../.../... B", "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1"]) {
  const answer = ask({ type: "solve", id: 1, text });
  assert.equal(answer.verdict, "proven");
  assert.ok(certified(answer) > 0);
}

// What cannot be done is said, and nothing is broken by it.
for (const [message, said] of [
  [{ type: "solve", id: 1, text: short, threads: 2 }, /^threads 2: from 1 to 1$/],
  [{ type: "solve", id: 1, text: short, hash: 4095 }, /^hash 4095: from 1 to/],
  [{ type: "solve", id: 1, text: "9/9 b -" }, /no game is recognised/],
  [{ type: "solve", id: 1, text: short, hash: -1 }, /not understood/],
  [{ type: "dance" }, /not understood: unknown variant/],
  ["{", /not understood: EOF/],
  ["", /not understood: EOF/],
  [new Uint8Array([0x22, 0xff, 0x22]), /not understood/],
]) {
  const { type, message: words, slices } = ask(message);
  assert.deepEqual([type, slices], ["error", 1], JSON.stringify(message));
  assert.match(words.en, said);
  assert.ok(words.ja);
}
assert.equal(exports.alloc(-1), 0);
assert.equal(ask({ type: "solve", id: 1, text: short }).verdict, "proven");

// Tables do not add up: what is gone gives its memory back.
const before = exports.memory.buffer.byteLength;
for (let round = 0; round < 20; round += 1) ask({ type: "solve", id: 1, text: short, hash: 32 + (round % 2) });
assert.ok(exports.memory.buffer.byteLength - before < 80 << 20, "a table that is gone keeps its memory");

console.log("engine.wasm: all holds");
