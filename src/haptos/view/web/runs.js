// The runs of a campaign: a table of numbers, and a cloud of dots to pick one from.
"use strict";
(function (haptos) {
  const { make, button, choice } = haptos;

  class RunTable {
    static async read(spec, packet) {
      const table = new RunTable();
      table.runs = (await packet.array(spec.runs)).numbers;
      table.groups = (await packet.array(spec.groups)).numbers;
      table.outcomes = spec.outcomes;
      table.count = table.runs.length;
      table.columns = [];
      for (const column of spec.columns) {
        const values = (await packet.array(column.values)).doubles();
        table.columns.push({ label: column.label, values });
      }
      table.first = spec.first;
      return table;
    }
  }

  class RunPicker {
    constructor(box, table, calls) {
      Object.assign(this, { table, calls, picked: haptos.OVERVIEW });
      const names = table.columns.map((column, n) => [n, column.label]);
      const redraw = () => this.draw(this.picked);
      this.across = choice(box, "across", names, redraw);
      this.upward = choice(box, "upward", names, redraw);
      this.across.value = table.first[0];
      this.upward.value = table.first[1];
      const cloud = make("div", box, { className: "cloud" });
      this.scatter = new haptos.Scatter(cloud, (n) => calls.pick(n));
      const legend = make("p", box, { className: "legend" });
      table.outcomes.forEach((outcome, n) => {
        const entry = make("span", legend);
        make("i", entry).style.background = haptos.LINES[n % haptos.LINES.length];
        entry.appendChild(document.createTextNode(outcome));
      });
      const row = make("div", box, { className: "row" });
      button(row, "‹", "The run before", () => this.step(-1));
      this.number = make("input", row, {
        type: "number", min: table.runs[0], max: table.runs[table.count - 1],
        "aria-label": "Number of the run", placeholder: "run",
      });
      this.number.addEventListener("change", () => {
        const found = table.runs.indexOf(Number(this.number.value));
        if (found >= 0) calls.pick(found);
      });
      button(row, "›", "The next run", () => this.step(1));
      button(row, "all runs", "Show all runs at once", () => calls.pick(haptos.OVERVIEW));
      this.text = make("p", box, { className: "soft" });
    }
    step(way) {
      let n = this.picked;
      do n += way; while (n >= 0 && n < this.table.count && !this.calls.canReplay(n));
      if (n >= 0 && n < this.table.count) this.calls.pick(n);
    }
    draw(picked) {
      this.picked = picked;
      const { table } = this;
      const columns = [this.across, this.upward].map((select) => table.columns[Number(select.value)]);
      this.scatter.show(table, ...columns);
      this.scatter.draw(picked, this.calls.canReplay);
      if (picked === haptos.OVERVIEW) {
        this.number.value = "";
        this.text.textContent = `${table.count} runs; click a dot to replay one`;
        return;
      }
      this.number.value = table.runs[picked];
      const spec = columns.map((column) => `${column.label} = ${haptos.shown(column.values[picked])}`);
      const outcome = table.outcomes[table.groups[picked]];
      this.text.textContent = `run ${table.runs[picked]}: ${outcome}; ${spec.join("; ")}`;
    }
  }

  haptos.RunTable = RunTable;
  haptos.RunPicker = RunPicker;
})(window.haptos = window.haptos || {});
