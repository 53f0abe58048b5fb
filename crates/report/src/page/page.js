"use strict";
// What moves in a page: the step that is chosen, its state and source, folding, zooming, keys.
// Everything that comes from a model goes through textContent or attributes of numbers.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const LINE = 28, DOT = 17, FOLDED = 20;
  const tip = document.getElementById("tip");
  const make = (name, text, kind) => {
    const one = document.createElement(name);
    if (text !== undefined) one.textContent = text;
    if (kind) one.className = kind;
    return one;
  };
  const drawn = (name, attributes) => {
    const one = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) one.setAttribute(key, attributes[key]);
    return one;
  };
  const number = (text) => (text === "" || text === undefined ? null : Number(text));

  /** One chart: its rows, which of them are folded, and the one that is chosen. */
  class Side {
    constructor(figure, element, chart, id) {
      Object.assign(this, { figure, element, chart, id, picked: -1, zoom: 1 });
      this.top = element.querySelector("svg.top");
      this.body = element.querySelector("svg.body");
      this.width = this.body.viewBox.baseVal.width;
      const all = (what) => Array.from(this.body.querySelectorAll(what));
      this.rows = all("g.row");
      this.arrows = all("g.arrow").map((g) => {
        const ends = [g.dataset.a, g.dataset.b].map((one) => (one ? one.split(",").map(Number) : null));
        const [path, head] = g.children;
        return { g, path, head, ends, x: g.dataset.x.split(",").map(Number) };
      });
      this.byMessage = new Map(this.arrows.map((one) => [Number(one.g.dataset.message), one]));
      this.lives = all("line.life");
      this.marks = all("path.birth, path.death");
      this.blocks = all("rect.frame, rect.again, rect.again-bar");
      this.foot = this.body.querySelector("g.foot");
      const last = this.chart.rows.reduce((sum, row) => sum + LINE * row.lines, 0);
      this.rest = this.body.viewBox.baseVal.height - last;
      this.footAt = last;
      this.group = new Array(this.rows.length).fill(-1);
      this.groups = [];
      this.gather();
      this.rows.forEach((g, at) => {
        const row = this.chart.rows[at];
        g.id = `${id}-${at}`;
        g.setAttribute("role", "option");
        g.setAttribute("aria-selected", "false");
        g.setAttribute("aria-label", this.told(row));
        g.addEventListener("click", () => {
          if (this.isFolded(at)) this.unfold(this.group[at]);
          this.pick(at, false);
        });
        g.addEventListener("mousemove", (event) => this.hover(at, event));
        g.addEventListener("mouseleave", () => { tip.hidden = true; this.near([]); });
      });
      element.addEventListener("focus", () => { figure.active = this; if (this.picked < 0 && this.rows.length) this.pick(0, true); });
    }

    /** Runs of two or more local rows can be folded into one. */
    gather() {
      for (let at = 0; at < this.rows.length; ) {
        let end = at;
        while (end < this.rows.length && this.chart.rows[end].local) end++;
        if (end - at >= 2) {
          for (let one = at; one < end; one++) this.group[one] = this.groups.length;
          const mark = drawn("text", { class: "folded-mark", x: 60, y: 14 });
          mark.textContent = `⋯ ${end - at} local steps (${this.chart.rows[at].n}–${this.chart.rows[end - 1].n})`;
          mark.style.display = "none";
          this.rows[end - 1].appendChild(mark);
          this.groups.push({ from: at, to: end - 1, folded: false, mark });
        }
        at = Math.max(end, at + 1);
      }
    }

    isFolded(at) { const group = this.group[at]; return group >= 0 && this.groups[group].folded; }
    /** Of a folded run the last row stands for all. */
    isShown(at) { return !this.isFolded(at) || this.groups[this.group[at]].to === at; }
    fold(folded) { for (const group of this.groups) group.folded = folded; this.place(); }
    unfold(group) { this.groups[group].folded = false; this.place(); }

    /** Puts everything where it belongs, from top to bottom, once. */
    place() {
      const tops = [];
      let y = 0;
      this.rows.forEach((g, at) => {
        const folded = this.isFolded(at), shown = this.isShown(at);
        tops.push(y);
        g.style.display = shown ? "" : "none";
        g.setAttribute("transform", `translate(0,${y})`);
        const height = !shown ? 0 : folded ? FOLDED : LINE * this.chart.rows[at].lines;
        g.querySelector(".hit").setAttribute("height", height);
        for (const child of g.children) {
          const keep = child.classList.contains("hit");
          const isMark = child.classList.contains("folded-mark");
          if (!keep) child.style.display = isMark === folded ? "" : "none";
        }
        y += height;
      });
      tops.push(y);
      const dot = ([row, place]) => tops[row] + (this.isFolded(row) ? FOLDED / 2 : DOT + LINE * place);
      const level = (row) => dot([row, 0]);
      for (const { path, head, ends, x } of this.arrows) {
        const [y1, y2] = [dot(ends[0] || ends[1]), dot(ends[1] || ends[0])];
        let [x1, x2] = x;
        let angle = 180, line;
        if (x1 === x2) {
          line = `M${x1} ${y1}C${x1 + 44} ${y1} ${x1 + 44} ${y2} ${x1 + 10} ${y2}`;
          x2 = x1 + 5;
        } else {
          x2 += x1 < x2 ? -5 : 5;
          angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
          line = `M${x1} ${y1}L${x2} ${y2}`;
        }
        path.setAttribute("d", line);
        head.setAttribute("transform", `translate(${x2},${y2}) rotate(${angle.toFixed(1)})`);
      }
      for (const life of this.lives) {
        const [from, to] = [number(life.dataset.from), number(life.dataset.to)];
        life.setAttribute("y1", from === null ? -6 : level(from));
        life.setAttribute("y2", to === null ? y + 8 : level(to));
      }
      for (const mark of this.marks) {
        const x = mark.getAttribute("transform").match(/\(([-\d.]+)/)[1];
        mark.setAttribute("transform", `translate(${x},${level(Number(mark.dataset.row))})`);
      }
      for (const block of this.blocks) {
        const inset = block.classList.contains("frame") ? 3 : 0;
        const from = tops[Number(block.dataset.from)] + inset;
        block.setAttribute("y", from);
        block.setAttribute("height", Math.max(0, tops[Number(block.dataset.to) + 1] - inset - from));
      }
      if (this.foot) this.foot.setAttribute("transform", `translate(0,${y - this.footAt})`);
      this.height = y + this.rest;
      this.scale(this.zoom);
    }

    scale(zoom) {
      this.zoom = Math.min(3, Math.max(0.2, zoom));
      const headHeight = this.top.viewBox.baseVal.height;
      this.body.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
      for (const [svg, height] of [[this.top, headHeight], [this.body, this.height]]) {
        svg.setAttribute("width", Math.round(this.width * this.zoom));
        svg.setAttribute("height", Math.round(height * this.zoom));
      }
    }

    told(row) {
      const parts = row.p.map(([lane, statement, , line]) => `${this.chart.lanes[lane]}, line ${line}: ${statement}`);
      const changes = row.c.map(([name, value]) => `${name} = ${value === null ? "gone" : value}`);
      return `step ${row.n}: ${parts.join("; ")}${changes.length ? `; then ${changes.join(", ")}` : ""}`;
    }

    message(id) {
      const [channel, text] = this.chart.messages[id];
      return `${this.chart.channels[channel]}: ${text}`;
    }

    /** What every channel holds after a row, as far as it was used. */
    queues(at) {
      const found = new Map();
      for (let row = at; row >= 0 && found.size < this.chart.channels.length; row--) {
        for (const one of this.chart.rows[row].q) if (!found.has(one[0])) found.set(one[0], one);
      }
      return Array.from(found.values()).sort((a, b) => a[0] - b[0]);
    }

    hover(at, event) {
      const row = this.chart.rows[at];
      const lines = row.p.map(([lane, statement, , line]) => `${this.chart.lanes[lane]}  line ${line}: ${statement}`);
      for (const id of row.m) {
        const [channel, text, sent, taken] = this.chart.messages[id];
        const step = (other) => this.chart.rows[other].n;
        const when = [];
        if (sent !== null) when.push(`sent in step ${step(sent)}`);
        when.push(taken !== null ? `taken in step ${step(taken)}` : "never taken");
        lines.push(`${this.chart.channels[channel]}: ${text}, ${when.join(", ")}`);
      }
      for (const [channel, first, length] of this.queues(at)) {
        const held = first.map((id) => `(${this.chart.messages[id][1]})`).join(" ");
        const more = length > first.length ? ` and ${length - first.length} more` : "";
        lines.push(`${this.chart.channels[channel]} holds ${length}: [${held}${more}]`);
      }
      tip.textContent = lines.join("\n");
      tip.hidden = false;
      const box = tip.getBoundingClientRect();
      tip.style.left = `${Math.min(event.clientX + 14, innerWidth - box.width - 8)}px`;
      tip.style.top = `${Math.min(event.clientY + 16, innerHeight - box.height - 8)}px`;
      this.near(row.m);
    }

    near(messages) {
      for (const one of this.lit || []) one.g.classList.remove("near");
      this.lit = messages.map((id) => this.byMessage.get(id)).filter(Boolean);
      for (const one of this.lit) one.g.classList.add("near");
    }

    /** Chooses a row and shows what it is. */
    pick(at, scroll) {
      if (at < 0 || at >= this.rows.length) return;
      const old = this.rows[this.picked];
      if (old) { old.classList.remove("picked"); old.setAttribute("aria-selected", "false"); }
      this.picked = at;
      this.figure.active = this;
      const g = this.rows[at];
      g.classList.add("picked");
      g.setAttribute("aria-selected", "true");
      this.element.setAttribute("aria-activedescendant", g.id);
      this.near(this.chart.rows[at].m);
      if (scroll) {
        const box = g.getBoundingClientRect(), view = this.element.getBoundingClientRect();
        const head = this.top.getBoundingClientRect().height;
        if (box.top < view.top + head) this.element.scrollTop -= view.top + head - box.top;
        if (box.bottom > view.bottom) this.element.scrollTop += box.bottom - view.bottom + 8;
      }
      this.figure.show(this, at);
    }

    move(by) {
      let at = this.picked;
      do at += by; while (at >= 0 && at < this.rows.length && !this.isShown(at));
      this.pick(at, true);
    }
    first() { for (let at = 0; at < this.rows.length; at++) if (this.isShown(at)) return this.pick(at, true); }
    last() { this.pick(this.rows.length - 1, true); }
  }

  /** Charts beside each other, their tools, and the panel for the chosen step. */
  class Figure {
    constructor(element, charts, at) {
      this.element = element;
      this.panel = element.querySelector(".panel");
      this.sides = Array.from(element.querySelectorAll(".chart")).map((one, side) => new Side(this, one, charts[side], `f${at}s${side}`));
      this.active = this.sides[0];
      this.foldButton = element.querySelector("[data-do=fold]");
      element.querySelector(".tools").addEventListener("click", (event) => {
        const what = event.target.dataset && event.target.dataset.do;
        if (what) this.act(what);
      });
      const rows = Math.max(...this.sides.map((side) => side.rows.length));
      this.fold(rows > 60);
      if (this.sides.every((side) => side.groups.length === 0)) this.foldButton.hidden = true;
      for (const side of this.sides) {
        side.element.addEventListener("wheel", (event) => {
          if (!event.ctrlKey) return;
          event.preventDefault();
          this.zoom(side.zoom * (event.deltaY < 0 ? 1.1 : 1 / 1.1));
        }, { passive: false });
      }
    }

    fold(folded) {
      this.folded = folded;
      this.foldButton.setAttribute("aria-pressed", String(folded));
      for (const side of this.sides) side.fold(folded);
    }

    zoom(zoom) { for (const side of this.sides) side.scale(zoom); }

    act(what) {
      const side = this.active;
      if (what === "first") side.first();
      else if (what === "last") side.last();
      else if (what === "next") side.move(1);
      else if (what === "previous") side.move(-1);
      else if (what === "larger") this.zoom(side.zoom * 1.2);
      else if (what === "smaller") this.zoom(side.zoom / 1.2);
      else if (what === "plain") this.zoom(1);
      else if (what === "fit") for (const one of this.sides) one.scale((one.element.clientWidth - 4) / one.width);
      else if (what === "fold") this.fold(!this.folded);
      else if (what === "open" && side.isFolded(side.picked)) side.unfold(side.group[side.picked]);
    }

    /** The step, what it changed, the whole state, the source. */
    show(side, at) {
      const { chart } = side;
      const row = chart.rows[at];
      const last = chart.rows[chart.rows.length - 1];
      const panel = this.panel;
      panel.replaceChildren();
      panel.append(make("p", `Step ${row.n}${row.p.length > 1 ? ` and ${row.n + 1}` : ""} of ${last.n + last.p.length - 1}`, "step"));
      for (const [lane, statement, file, line] of row.p) {
        const what = make("p", undefined, "what");
        const name = data.files[file] && file > 0 ? `${data.files[file].name}, ` : "";
        what.append(make("b", chart.lanes[lane]), ` ${name}line ${line}: `, make("code", statement));
        panel.append(what);
      }
      if (row.again && chart.repeats) panel.append(make("p", chart.repeats, "what loop"));
      if (at === chart.rows.length - 1 && chart.fault) panel.append(make("p", chart.fault, "what wrong"));
      for (const [, , file, line] of row.p) this.source(file, line, row.p.length);
      const state = new Map(chart.start);
      for (let one = 0; one <= at; one++) {
        for (const [name, value] of chart.rows[one].c) {
          if (value === null) state.delete(name); else state.set(name, value);
        }
      }
      const changed = new Set(row.c.map(([name]) => name));
      panel.append(make("h4", "State after it"));
      const table = make("table", undefined, "state");
      for (const [name, value] of state) {
        const line = make("tr", undefined, changed.has(name) ? "changed" : "");
        line.append(make("td", name), make("td", value));
        table.append(line);
      }
      panel.append(state.size ? table : make("p", "no variables", "none"));
      const stands = new Map();
      for (let one = 0; one <= at; one++) for (const [lane, , line] of chart.rows[one].s) stands.set(lane, line);
      if (stands.size) {
        panel.append(make("h4", "Who stands where"));
        const places = make("table");
        for (const [lane, line] of Array.from(stands).sort((a, b) => a[0] - b[0])) {
          const one = make("tr");
          one.append(make("td", chart.lanes[lane]), make("td", `line ${line}`));
          places.append(one);
        }
        panel.append(places);
      }
    }

    /** The lines around a place. */
    source(file, line, parts) {
      const text = data.files[file];
      if (!text || !text.lines.length) return;
      this.panel.append(make("h4", text.name));
      const box = make("div", undefined, parts > 1 ? "source half" : "source");
      const AROUND = 60;
      let here;
      for (let at = Math.max(1, line - AROUND); at <= Math.min(text.lines.length, line + AROUND); at++) {
        const one = make("div", undefined, at === line ? "here" : "");
        one.append(make("span", String(at)), text.lines[at - 1]);
        if (at === line) { here = one; one.setAttribute("aria-current", "true"); }
        box.append(one);
      }
      this.panel.append(box);
      if (here) box.scrollTop = here.offsetTop - box.clientHeight / 2 + 10;
    }
  }

  const figures = Array.from(document.querySelectorAll(".figure")).map((one, at) => new Figure(one, data.figures[at], at));
  let current = figures[0];
  for (const figure of figures) {
    figure.element.addEventListener("pointerdown", () => { current = figure; });
    figure.element.addEventListener("focusin", () => { current = figure; });
  }
  const KEYS = { j: "next", ArrowDown: "next", k: "previous", ArrowUp: "previous", Home: "first", End: "last", "+": "larger", "=": "larger", "-": "smaller", 0: "plain", c: "fold", w: "fit", Enter: "open" };
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (!current || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest && target.closest("button, summary, input") && event.key === "Enter") return;
    const what = KEYS[event.key];
    if (!what) return;
    event.preventDefault();
    current.act(what);
  });
  addEventListener("beforeprint", () => { for (const one of document.querySelectorAll("details")) one.open = true; });
})();
