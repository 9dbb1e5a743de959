// The page of a review. It never counts characters: every place comes from the server and goes back as it came.
// All that a note holds is set as textContent.

const $ = (id) => document.getElementById(id);
const adjudicates = document.body.dataset.adjudicates === "yes";
const KEYS = [
  ["n / p", "next / previous span"], ["N / P", "the same, undecided only"],
  ["y / x", "accept / refuse the span"], ["1–9", "label of the span, or of what is selected"], ["l", "all labels"],
  ["q / w", "start of the span: a word back / on"], ["e / r", "end of the span: a word back / on"],
  ["Q W E R", "the same by a character"],
  ["← → (⇧)", "go by words (and select)"], ["a", "the same words, too"],
  ["Enter", "approve the note and go on"], [", / .", "previous / next note, nothing approved"],
  ["u / U", "undo / redo"], ["b", "before / after"], ["/", "search; then m for the next"],
  ["s", "save again what was not saved"], ["t", "export; learn a model"], ["?", "go to the keys"],
];
if (adjudicates) KEYS.unshift(["Alt+A …", "take the version of A, B, …"]);

let queue = [], labels = [], usual = [], note = null, current = -1, cursor = -1, anchor = -1, after = false;
let hits = [], hit = -1, unsaved = null, seen = false, busy = false;

function make(tag, text = "", attributes = {}) {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function tell(text) { $("live").textContent = text; }

async function ask(path, body) {
  const how = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  try {
    const answer = await fetch(path, { ...how, cache: "no-store", redirect: "error" });
    return { status: answer.status, ...(await answer.json()) };
  } catch {
    return { status: 0, error: "gone", todo: "elision review does not answer; start it again. Nothing saved is lost" };
  }
}

const mark = () => (note && current >= 0 ? note.marks[current] : null);
const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
const place = (one) => ({ start: one.start, end: one.end, label: one.label });

// Decisions

async function decide(body) {
  if (busy || !note) return null;
  busy = true;
  const at = note.position;
  const answer = await ask(`/api/note/${at}`, { ...body, version: note.version });
  busy = false;
  if (answer.status === 200) {
    if (unsaved && unsaved.body === body) unsaved = null;
    note = answer.note;
    return answer;
  }
  if (answer.status !== 422) unsaved = { at, body, why: answer.todo };
  if (answer.note && answer.note.position === note.position) note = answer.note;
  draw();
  tell(`Not saved: ${answer.todo}.${answer.status === 409 ? " The note is shown as it is now; press s to save yours again." : ""}`);
  return null;
}

async function change(body, told, find) {
  if (after) { tell("This is the note after replacing; press b to go back first."); return; }
  const answer = await decide(body);
  if (!answer) return;
  anchor = -1;
  current = find ? note.marks.findIndex(find) : Math.min(current, note.marks.length - 1);
  draw();
  tell(typeof told === "function" ? told(answer) : told);
}

const same = (one) => (other) => other.start === one.start && other.end === one.end && other.label === one.label;

function accept() { const one = mark(); if (one) change({ do: "accept", ...place(one) }, `Accepted: ${one.label}.`, same(one)); else tell("No span is chosen; press n."); }
function refuse() { const one = mark(); if (one) change({ do: "refuse", ...place(one) }, `Refused: ${one.label}.`, same(one)); else tell("No span is chosen; press n."); }

function label(name) {
  const chosen = selection();
  if (chosen) change({ do: "add", ...chosen, label: name }, `Added: ${name}.`, (one) => one.label === name && one.start >= chosen.start && one.end <= chosen.end);
  else if (mark()) { const one = mark(); change({ do: "label", ...place(one), to: name }, `Label: ${name}.`, same({ ...one, label: name })); }
  else tell("Nothing is selected; go to a word with the arrow keys, or to a span with n.");
}

function move(edge, way, by) {
  const one = mark();
  if (!one) { tell("No span is chosen; press n."); return; }
  const keep = edge === "start" ? (other) => other.end === one.end && other.label === one.label : (other) => other.start === one.start && other.label === one.label;
  change({ do: "move", ...place(one), edge, way, by }, () => `Now: ${mark() ? mark().text : ""}.`, keep);
}

function alike(where) {
  const one = mark();
  if (!one) { tell("No span is chosen; press n."); return; }
  change({ do: "alike", ...place(one), where }, (answer) => {
    const { spans, notes, approved } = answer.told;
    const kept = approved ? ` Approved notes that have them, too, stay as they are: ${approved}.` : "";
    return `Changed ${many(spans, "span")} in ${many(notes, "note")}.${kept}`;
  }, (other) => other.start === one.start && other.end === one.end).then(loadQueue);
}

async function approve() {
  if (after) { tell("This is the note after replacing; press b to go back first."); return; }
  if (!seen) {
    $("note").scrollBy(0, $("note").clientHeight * 0.8);
    tell("The note goes on below. Read to its end, then press Enter again.");
    return;
  }
  if (!(await decide({ do: "approve" }))) return;
  await loadQueue();
  const at = queue.findIndex((one) => one.position === note.position);
  const open = [...queue.slice(at + 1), ...queue.slice(0, at)].find((one) => one.state !== "approved");
  if (open) { await show(open.position); tell("Approved. The next note is shown."); } else { draw(); tell("Approved. All notes are approved."); }
}

function again(what) {
  change({ do: what }, (answer) => answer.told.notes ? `${what === "undo" ? "Undone" : "Done again"} in ${many(answer.told.notes, "note")}.` : `Nothing to ${what} in this note${what === "undo" ? "; press , for the note before" : ""}.`).then(loadQueue);
}

function saveAgain() {
  if (!unsaved) { tell("All is saved."); return; }
  const one = unsaved;
  if (one.at !== note.position) { show(one.at).then(() => tell("Press s again to save your change to this note.")); return; }
  change(one.body, "Saved.");
}

// What is shown

function selection() {
  if (cursor < 0 || !note) return null;
  if (anchor < 0 && current >= 0) return null;
  const from = note.pieces[Math.min(anchor < 0 ? cursor : anchor, cursor)], to = note.pieces[Math.max(anchor, cursor)];
  return { start: from.start, end: to.end };
}

function draw() {
  const { pieces, marks } = after && after.pieces ? after : note;
  const home = $("note"), nodes = [];
  let open = null;
  pieces.forEach((piece, at) => {
    const first = piece.marks ? piece.marks[0] : -1;
    if (!open || open.at !== first) {
      const one = first >= 0 ? marks[first] : null;
      open = { at: first, node: one ? make("mark", "", { "data-parent": one.parent, "data-state": one.state, "data-label": one.label }) : make("span") };
      if (!after && first >= 0) {
        open.node.dataset.number = first;
        if (first === current) open.node.classList.add("now");
      }
      nodes.push(open.node);
    }
    const node = make("span", piece.text);
    if (!after) {
      node.dataset.at = at;
      const low = Math.min(anchor < 0 ? cursor : anchor, cursor), high = Math.max(anchor, cursor);
      if (cursor >= 0 && at >= low && at <= high && (anchor >= 0 || current < 0)) node.classList.add("selected");
    }
    open.node.append(node);
  });
  home.replaceChildren(...nodes);
  if (after && after.held) home.replaceChildren(make("span", `A run would withhold this note: ${after.held}`));
  const now = home.querySelector(".now, .selected");
  if (now) now.scrollIntoView({ block: "nearest" });
  $("title").textContent = `Note ${note.id}${note.patient ? `, patient ${note.patient}` : ""}`;
  const open_spans = note.marks.filter((one) => one.state === "predicted").length;
  $("state").textContent = `${after ? "After replacing. " : ""}${note.approved ? "Approved." : `Not approved; ${note.marks.length ? `${open_spans} of ${many(note.marks.length, "span")} undecided` : "no spans"}.`}`;
  drawSpan();
  drawUnsaved();
  look();
}

function drawSpan() {
  const one = mark();
  if (!one) { $("span").replaceChildren(make("p", "None is chosen.", { class: "soft" })); return; }
  const said = { predicted: adjudicates ? "proposed" : "predicted, not reviewed", accepted: "accepted", refused: "refused" }[one.state];
  const rows = [make("p", one.text, { dir: "auto" }), make("p", `${one.label}: ${said}`)];
  if (one.source) rows.push(make("p", `${one.source}, ${one.score}`, { class: "soft" }));
  if (one.sides) {
    const table = make("table", "", { "aria-label": "What each reviewer marked" });
    one.sides.forEach((side, number) => {
      const row = make("tr");
      row.append(make("th", `${String.fromCharCode(65 + number)} ${side.who}`, { scope: "row" }));
      row.append(make("td", side.spans.map((span) => `${span.label}: ${span.text}`).join("; ") || "nothing"));
      table.append(row);
    });
    rows.push(table);
  }
  $("span").replaceChildren(...rows);
}

function drawUnsaved() {
  $("unsaved").hidden = !unsaved;
  if (unsaved) $("unsaved-list").replaceChildren(make("p", `${unsaved.body.do} ${unsaved.body.to || unsaved.body.label || ""}: ${unsaved.why}. Press s to save it again.`));
}

function drawQueue() {
  $("queue").replaceChildren(...queue.map((one) => {
    const button = make("button", `${{ approved: "✓", begun: "…", new: "○" }[one.state]} ${one.id}`, { type: "button", "aria-label": `Note ${one.id}, ${one.state}` });
    if (note && one.position === note.position) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => show(one.position).then(() => $("note").focus()));
    const item = make("li");
    item.append(button);
    return item;
  }));
  $("queue").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

async function loadQueue() {
  const answer = await ask("/api/queue");
  if (answer.status !== 200) { tell(answer.todo); return; }
  ({ notes: queue, labels, usual } = answer);
  const minutes = answer.seconds_left === null ? "" : `, about ${Math.max(1, Math.round(answer.seconds_left / 60))} min left`;
  $("bar").max = Math.max(1, answer.total);
  $("bar").value = answer.done;
  $("progress").textContent = `${answer.done} of ${answer.total} approved${minutes}`;
  $("usual").replaceChildren(...usual.map((name, at) => { const item = make("li"); item.append(make("kbd", String(at + 1)), ` ${name}`); return item; }));
  drawQueue();
}

async function show(position) {
  const answer = await ask(`/api/note/${position}`);
  if (answer.status !== 200) { tell(answer.todo); return; }
  note = answer;
  current = note.marks.findIndex((one) => one.state === "predicted");
  cursor = anchor = -1;
  after = false;
  seen = false;
  $("note").scrollTop = 0;
  draw();
  drawQueue();
  say();
}

function look() {
  const home = $("note");
  if (!after && home.scrollTop + home.clientHeight >= home.scrollHeight - 4) seen = true;
}

function say() {
  const one = mark();
  tell(one ? `${one.text}: ${one.label}, ${one.state}.` : `Note ${note.id}: ${many(note.marks.length, "span")}.`);
}

// Going about

function go(way, undecided) {
  const { marks } = note;
  let at = current;
  for (let tried = 0; tried < marks.length; tried += 1) {
    at = (at + way + marks.length + (at < 0 && way < 0 ? 1 : 0)) % marks.length;
    if (!undecided || marks[at].state === "predicted") {
      current = at;
      cursor = anchor = -1;
      draw();
      say();
      return;
    }
  }
  tell(undecided ? "No span is undecided." : "The note has no spans.");
}

function walk(way, selecting) {
  const { pieces } = note;
  let at = cursor;
  if (at < 0) at = current >= 0 ? pieces.findIndex((one) => one.start === note.marks[current].start) - (way > 0 ? 1 : 0) : way > 0 ? -1 : pieces.length;
  if (selecting && anchor < 0) anchor = cursor < 0 ? -1 : cursor;
  if (!selecting) anchor = -1;
  do at += way; while (at >= 0 && at < pieces.length && !pieces[at].word);
  if (at < 0 || at >= pieces.length) { tell("The text ends here."); return; }
  cursor = at;
  if (selecting && anchor < 0) anchor = at;
  const here = pieces[at].marks;
  current = !selecting && here ? here[0] : -1;
  draw();
  tell(selecting ? "Selected." : `${pieces[at].text}${here ? `: ${note.marks[here[0]].label}` : ""}`);
}

async function step(way) {
  const at = queue.findIndex((one) => one.position === note.position) + way;
  if (queue[at]) await show(queue[at].position); else tell("No more notes there.");
}

async function toggle() {
  if (after) { after = false; draw(); tell("Before."); return; }
  const answer = await ask(`/api/note/${note.position}/replaced`);
  if (answer.status !== 200) { tell(answer.todo); return; }
  after = answer;
  draw();
  tell(answer.held ? "A run would withhold this note." : "After replacing.");
}

async function search() {
  const answer = await ask("/api/search", { words: $("words").value });
  hits = answer.hits || [];
  hit = -1;
  $("note").focus();
  if (hits.length) await nextHit(); else tell("Not found.");
}

async function nextHit() {
  if (!hits.length) { tell("Search first: press /."); return; }
  hit = (hit + 1) % hits.length;
  const { position, start, end } = hits[hit];
  if (note.position !== position) await show(position);
  const within = note.pieces.map((one, at) => [one, at]).filter(([one]) => one.end > start && one.start < end);
  current = -1;
  anchor = within.length ? within[0][1] : -1;
  cursor = within.length ? within[within.length - 1][1] : -1;
  draw();
  tell(`Found: ${hit + 1} of ${hits.length}.`);
}

// The list of labels

let options = [], option = 0;

function openPalette() {
  $("wanted").value = "";
  listLabels();
  $("palette").showModal();
  $("wanted").focus();
}

function listLabels() {
  const begun = $("wanted").value.toUpperCase();
  options = labels.filter((name) => name.toUpperCase().includes(begun));
  options.sort((one, other) => Number(other.toUpperCase().startsWith(begun)) - Number(one.toUpperCase().startsWith(begun)));
  option = 0;
  markOption();
}

function markOption() {
  $("found").replaceChildren(...options.map((name, at) => {
    const item = make("li", name, { role: "option", id: `option-${at}`, "aria-selected": String(at === option) });
    item.addEventListener("click", () => { option = at; takeLabel(); });
    return item;
  }));
  $("wanted").setAttribute("aria-activedescendant", options.length ? `option-${option}` : "");
  const now = $(`option-${option}`);
  if (now) now.scrollIntoView({ block: "nearest" });
}

function takeLabel() {
  $("palette").close();
  $("note").focus();
  if (options[option]) label(options[option]);
}

$("wanted").addEventListener("input", listLabels);
$("wanted").addEventListener("keydown", (event) => {
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (way && options.length) { option = (option + way + options.length) % options.length; markOption(); event.preventDefault(); }
});
$("palette-form").addEventListener("submit", (event) => { event.preventDefault(); takeLabel(); });

// The same words elsewhere

function openScope() {
  const one = mark();
  if (!one) { tell("No span is chosen; press n."); return; }
  $("scope-words").textContent = one.text;
  $("scope-label").textContent = one.state === "refused" ? "no identifier" : one.label;
  $("scope").showModal();
}

// What becomes of approved notes

let learning = null;

async function openDone() {
  $("done").showModal();
  await loadQueue();
  tell($("done-count").textContent = `${$("progress").textContent}.`);
  await watchLearning(true);
}

async function exportApproved() {
  const answer = await ask("/api/export", {});
  tellDone(answer.status === 200 ? `Wrote ${many(answer.notes, "note")} to ${answer.to}.` : `Not written: ${answer.todo}.`);
}

async function learn() {
  const answer = await ask("/api/learning", { do: learning && learning.state === "goes on" ? "stop" : "begin" });
  if (answer.status === 200) await watchLearning(); else tellDone(`Not begun: ${answer.todo}.`);
}

function tellDone(text) { $("learnt").textContent = text; tell(text); }

// How far the learning is: asked for again as long as it goes on. What it predicts anew is shown at once.
async function watchLearning(opened) {
  const before = learning, answer = await ask("/api/learning");
  if (answer.status !== 200) { tellDone(answer.todo); return; }
  learning = answer;
  const { state, said, seconds, model } = learning;
  const button = $("done").querySelector("[value=learn]");
  button.textContent = state === "goes on" ? `2 Stop learning (${seconds} s so far)` : "2 Learn a model from approved notes";
  const printed = $("learnt-said"), lines = said.join("\n"), more = lines !== printed.textContent;
  printed.hidden = !lines;
  if (more) printed.textContent = lines;
  if (more || opened) printed.scrollTop = printed.scrollHeight; // whoever reads earlier lines is left there
  const words = {
    "goes on": "Learning goes on. You can go on reviewing meanwhile.",
    ended: `The model is in ${model}, after ${seconds} s. Notes that nobody has begun have its spans.`,
    failed: "Nothing was learnt. Why stands below.",
    stopped: "Learning was stopped.",
  }[state];
  if (words && (!before || before.state !== state)) tellDone(words);
  if (state === "goes on") setTimeout(() => { if (learning === answer) watchLearning(); }, 1000);
  else if (before && before.state === "goes on") await predictedAnew();
}

async function predictedAnew() {
  const said = $("live").textContent;
  await loadQueue();
  const answer = note && await ask(`/api/note/${note.position}`);
  if (answer && answer.status === 200 && answer.version !== note.version) await show(note.position);
  tell(said);
}

// Keys

const DO = {
  n: () => go(1, false), p: () => go(-1, false), N: () => go(1, true), P: () => go(-1, true),
  y: accept, x: refuse, l: openPalette, u: () => again("undo"), U: () => again("redo"), b: toggle, s: saveAgain, m: nextHit,
  q: () => move("start", -1, "word"), w: () => move("start", 1, "word"),
  e: () => move("end", -1, "word"), r: () => move("end", 1, "word"),
  Q: () => move("start", -1, "character"), W: () => move("start", 1, "character"),
  E: () => move("end", -1, "character"), R: () => move("end", 1, "character"),
  a: openScope, t: openDone,
  "/": () => $("words").focus(), "?": () => $("keys").focus(), ",": () => step(-1), ".": () => step(1),
};

document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if ($("scope").open) {
    const where = ["note", "patient", "everywhere"][Number(key) - 1];
    if (where) { $("scope").close(); $("note").focus(); alike(where); event.preventDefault(); }
    return;
  }
  if ($("done").open) {
    const what = { 1: exportApproved, 2: learn }[key];
    if (what) { what(); event.preventDefault(); }
    return;
  }
  if ($("palette").open || !note) return;
  if (target instanceof HTMLInputElement) { if (key === "Escape") $("note").focus(); return; }
  if (adjudicates && event.altKey && /^Key[A-Z]$/.test(event.code)) {
    const one = mark(), side = one && one.sides[event.code.charCodeAt(3) - 65];
    if (side) change({ do: "choose", ...place(one), who: side.who }, `Took the version of ${side.who}.`);
    event.preventDefault();
    return;
  }
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "z") { again(event.shiftKey ? "redo" : "undo"); event.preventDefault(); return; }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === "Enter" && target instanceof HTMLButtonElement) return;
  const chosen = usual[Number(key) - 1];
  const what = key === "Enter" ? approve : key === "ArrowRight" ? () => walk(1, event.shiftKey) : key === "ArrowLeft" ? () => walk(-1, event.shiftKey) : chosen ? () => label(chosen) : DO[key];
  if (!what || event.repeat && key === "Enter") return;
  event.preventDefault();
  what();
});

$("note").addEventListener("scroll", look);
$("note").addEventListener("click", (event) => {
  const piece = event.target.closest("[data-at]");
  if (!piece || after) return;
  const at = Number(piece.dataset.at), { marks } = note.pieces[at];
  if (event.shiftKey && cursor >= 0) { anchor = anchor < 0 ? cursor : anchor; current = -1; } else { anchor = -1; current = marks ? marks[0] : -1; }
  cursor = at;
  draw();
});
for (const button of $("scope").querySelectorAll("button")) {
  button.addEventListener("click", () => { $("scope").close(); $("note").focus(); alike(button.value); });
}
$("done").querySelector("[value=export]").addEventListener("click", exportApproved);
$("done").querySelector("[value=learn]").addEventListener("click", learn);
$("done").addEventListener("close", () => $("note").focus());
$("search").addEventListener("submit", (event) => { event.preventDefault(); search(); });

$("keys").setAttribute("tabindex", "0");
for (const [keys, what] of KEYS) $("keys").append(make("dt", keys), make("dd", what));
await loadQueue();
const first = queue.find((one) => one.state !== "approved") || queue[0];
if (first) { await show(first.position); $("note").focus(); } else tell(adjudicates ? "No note was approved by two reviewers yet." : "There are no notes.");
