"use strict";
// Sorting of every table marked so, and the search of the rating list. Works from disk; asks nobody for anything.
(function () {
  const collator = new Intl.Collator(undefined, { sensitivity: "base", numeric: true });

  function plain(text) {
    return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  }

  function number(text) {
    const cleaned = text.replace(/[,\s*]/g, "").replace("\u2212", "-").replace(/^(-?\d*)\u00bd$/, "$1.5");
    return cleaned !== "" && !Number.isNaN(Number(cleaned)) ? Number(cleaned) : null;
  }

  // Empty cells stand last whichever way the column is sorted.
  function compare(a, b, down) {
    const empty = (a === "" || a === null ? 1 : 0) - (b === "" || b === null ? 1 : 0);
    if (empty) return empty;
    const order = typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
    return down ? -order : order;
  }

  // A column of numbers begins with the highest, a column of text with the first; then each press turns it round.
  function turn(heads, head) {
    const before = head.getAttribute("aria-sort");
    const down = before === "ascending" || (before === "none" && head.classList.contains("n"));
    heads.forEach(function (other) { other.setAttribute("aria-sort", "none"); });
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    return down;
  }

  function sortable(table) {
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach(function (head, column) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      if (head.hasAttribute("aria-label")) button.setAttribute("aria-label", head.getAttribute("aria-label"));
      head.append(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", function () {
        const down = turn(heads, head);
        const rows = Array.from(table.tBodies[0].rows, function (row) {
          const cell = row.cells[column];
          const text = (cell.dataset.sort || cell.textContent).trim();
          const value = number(text);
          return [value === null ? text : value, row];
        });
        rows.sort(function (a, b) { return compare(a[0], b[0], down); });
        table.tBodies[0].append(...rows.map(function (pair) { return pair[1]; }));
      });
    });
  }

  document.querySelectorAll("table.sortable").forEach(sortable);

  const table = document.getElementById("list");
  const data = window.ratingList;
  if (!table || !data) return;

  // A row of the data: the cells in the order of the heads, then the page of the player ('' for none), sex, whether active, whether he played.
  const columns = table.tHead.rows[0].cells.length;
  const nameColumn = data.name;
  const heads = Array.from(table.tHead.rows[0].cells);
  const search = document.getElementById("q");
  const who = document.getElementById("who");
  const count = document.getElementById("count");
  const previous = document.getElementById("previous");
  const next = document.getElementById("next");
  const step = 100;
  const keys = data.rows.map(function (row) { return plain(data.search.map(function (column) { return row[column]; }).join(" ")); });
  let shown = data.rows.map(function (_, place) { return place; });
  let sorted = { column: nameColumn, down: false };
  let start = 0;

  function draw() {
    const body = document.createElement("tbody");
    shown.slice(start, start + step).forEach(function (place) {
      const row = data.rows[place];
      const line = body.insertRow();
      for (let column = 0; column < columns; column += 1) {
        const cell = document.createElement(column === nameColumn ? "th" : "td");
        const text = row[column] === null ? "" : String(row[column]);
        if (column === nameColumn) {
          cell.scope = "row";
          const name = document.createElement("bdi");
          name.textContent = text;
          if (row[columns]) {
            const link = document.createElement("a");
            link.href = row[columns];
            link.append(name);
            cell.append(link);
          } else {
            cell.append(name);
          }
        } else {
          cell.textContent = data.signed.includes(column) && row[column] > 0 ? "+" + text : text;
          if (heads[column].classList.contains("n")) cell.className = "n";
          if (data.signed.includes(column)) cell.className += row[column] > 0 ? " gain" : row[column] < 0 ? " loss" : "";
        }
        line.append(cell);
      }
    });
    table.tBodies[0].replaceWith(body);
    const last = Math.min(start + step, shown.length);
    count.textContent = shown.length === 0 ? "Nobody found" :
      shown.length.toLocaleString("en") + (shown.length === 1 ? " player" : " players") + (shown.length > step ? ", " + (start + 1) + " to " + last : "");
    previous.hidden = start === 0;
    next.hidden = last >= shown.length;
  }

  function choose() {
    const words = plain(search.value).split(/[\s,]+/).filter(Boolean);
    const test = {
      played: function (row) { return row[columns + 3]; },
      women: function (row) { return row[columns + 1] === "F"; },
      active: function (row) { return row[columns + 2]; },
    }[who.value] || function () { return true; };
    shown = [];
    data.rows.forEach(function (row, place) {
      if (test(row) && words.every(function (word) { return keys[place].includes(word); })) shown.push(place);
    });
    order();
  }

  function order() {
    shown.sort(function (a, b) {
      return compare(data.rows[a][sorted.column], data.rows[b][sorted.column], sorted.down) || a - b;
    });
    start = 0;
    draw();
  }

  heads.forEach(function (head, column) {
    head.querySelector("button").addEventListener("click", function () {
      sorted = { column: column, down: turn(heads, head) };
      order();
    });
  });
  document.getElementById("search").addEventListener("submit", function (event) { event.preventDefault(); });
  search.addEventListener("input", choose);
  who.addEventListener("change", choose);
  function move(by) {
    start += by;
    draw();
    table.scrollIntoView({ block: "start" });
  }
  previous.addEventListener("click", function () { move(-step); });
  next.addEventListener("click", function () { move(step); });
  choose();
})();
