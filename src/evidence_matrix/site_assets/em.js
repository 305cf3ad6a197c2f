/* Evidence Matrix. Everything here adds to pages that read, link and print without it; only the claims
   explorer, two subjects side by side, the search and the as-of switch need it. Data formats: templates/README.md. */
(() => {
  "use strict";

  const root = new URL("../../", document.currentScript.src);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const here = (link) => new URL(link, document.baseURI);
  const json = async (path) => {
    const answer = await fetch(new URL(path, root));
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.json();
  };
  const escape = (text) =>
    String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  const element = (html) => {
    const box = document.createElement("template");
    box.innerHTML = html.trim();
    return box.content.firstElementChild;
  };
  const address = () => new URL(location.href);
  const asked = address().searchParams.get("as-of") ?? "";
  const day = /^\d{4}-\d\d-\d\d$/.test(asked) ? asked : "";
  const signs = { "matched, other bytes": "≈", secondhand: "”", unpinned: "~", "not reached": "?", failed: "!", pending: "…" };
  /* Without an address it leads nowhere. */
  const chip = (href, label, name, value, state) =>
    `<${href ? `a href="${escape(href)}"` : "span"} class="em-chip em-${label}"${signs[state] ? ` data-s="${state.replace(",", "").replaceAll(" ", "-")}"` : ""}>` +
    `<span class="em-v">${escape(value)}</span> <b class="em-l">${label}</b>` +
    (signs[state] ? `<span class="em-s" aria-hidden="true">${signs[state]}</span>` : "") +
    `<span class="em-vh"> ${escape(name)}${signs[state] ? `, ${state}` : ""}</span></${href ? "a" : "span"}>`;
  const nobody = '<span class="em-empty"><span aria-hidden="true">·</span><span class="em-vh">nobody has looked</span></span>';
  const failure = (where, error) => {
    where.textContent = `The data could not be loaded (${error.message}). Reload the page, or read it without the script.`;
  };

  /* Copy buttons ---------------------------------------------------------------------------------- */

  const addCopy = (place) => {
    for (const text of all(".em-cite:not([data-em-copy])", place)) {
      text.dataset.emCopy = "";
      const button = element('<button type="button" class="em-button">Copy</button>');
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(text.textContent);
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 1600);
      });
      text.after(button);
    }
  };
  document.addEventListener("toggle", ({ target }) => target.open && addCopy(target), true);
  all(".em-source").forEach(addCopy);

  /* On a fact sheet the link to a claim also shows what to take away; a second click puts it away. */
  document.addEventListener("click", ({ target }) => {
    const link = target.closest?.(".em-take");
    if (!link) return;
    const claim = link.closest(".em-claim");
    const shown = claim.querySelector(".em-taken");
    if (shown) return void shown.remove();
    const source = claim.querySelector(".em-where a");
    const correct = claim.parentElement.dataset.correct;
    link.parentElement.after(element(
      `<div class="em-taken">${link.dataset.cite ? `<pre class="em-cite" tabindex="0">${escape(link.dataset.cite)}</pre>` : ""}<p class="em-said">${escape(claim.dataset.c)}` +
        (source ? ` · <a href="${escape(source.getAttribute("href"))}#cite">BibTeX</a>` : "") +
        (correct ? ` · <a href="${escape(correct)}" rel="noopener">Suggest a correction</a>` : "") + "</p></div>",
    ));
    addCopy(claim);
  });

  const keys = (event) =>
    event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, [contenteditable]")
      ? "" : event.key;
  document.addEventListener("keydown", (event) => {
    if (keys(event) !== "t") return;
    const toggle = document.querySelector("[data-md-component=palette] label:not([hidden])");
    if (toggle) toggle.click();
  });

  /* Search: the library comes when it is first asked for ------------------------------------------- */

  const searcher = document.querySelector("[data-em-search]");
  const loaded = (node) =>
    new Promise((done, failed) => {
      node.addEventListener("load", done);
      node.addEventListener("error", () => failed(new Error(node.href ?? node.src)));
      document.head.append(node);
    });
  /* A claim shows its answer in the list; on another day than today it may have been another. */
  const hit = ({ meta, excerpt }) => {
    const url = new URL(meta.url, root);
    if (day) url.searchParams.set("as-of", day);
    const answer = meta.label && !day ? ` <span class="md-typeset">${chip("", meta.label, meta.word, meta.value, meta.state)}</span>` : "";
    return `<li class="pf-result"><div class="pf-result-card"><div class="pf-result-content"><p class="pf-result-title"><a class="pf-result-link" href="${escape(url.href)}">${escape(meta.title)}</a>${answer}</p>` +
      `<p class="pf-result-excerpt">${meta.kind === "Claim" ? escape(meta.id) : `<b>${escape(meta.kind)}</b> ${excerpt}`}</p></div></div></li>`;
  };
  let searching;
  const search = async () => {
    const folder = new URL("search/", root);
    await Promise.all([
      loaded(Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("pagefind-component-ui.css", folder) })),
      loaded(Object.assign(document.createElement("script"), { type: "module", src: new URL("pagefind-component-ui.js", folder) })),
    ]);
    window.PagefindComponents.configureInstance("default", {
      bundlePath: folder.pathname,
      ranking: { termSimilarity: 5, metaWeights: { names: 20, title: 10, id: 4, kind: 0, url: 0, label: 0, word: 0, value: 0, state: 0 } },
    });
    const modal = element(
      "<pagefind-modal><pagefind-modal-header><pagefind-input placeholder='Subject, aspect, source, arXiv number, id'></pagefind-input></pagefind-modal-header>" +
        "<pagefind-modal-body><pagefind-summary></pagefind-summary><pagefind-results hide-sub-results></pagefind-results></pagefind-modal-body>" +
        "<pagefind-modal-footer><pagefind-keyboard-hints></pagefind-keyboard-hints></pagefind-modal-footer></pagefind-modal>",
    );
    document.body.append(modal);
    modal.querySelector("pagefind-results").resultTemplate = hit;
    return modal;
  };
  const openSearch = async () => {
    try {
      (await (searching ??= search())).open();
    } catch (error) {
      searcher.textContent = `No search: ${error.message} could not be loaded`;
    }
  };
  searcher?.addEventListener("click", openSearch);
  document.addEventListener("keydown", (event) => {
    if (keys(event) !== "/" || !searcher) return;
    event.preventDefault();
    openSearch();
  });

  /* A formula or a table of a chapter that does not fit scrolls, and so the keyboard must reach it. */
  const reach = () => {
    for (const pane of all("div.arithmatex, .md-typeset__scrollwrap")) {
      if (pane.scrollWidth > pane.clientWidth) pane.tabIndex = 0;
      else pane.removeAttribute("tabindex");
    }
  };
  addEventListener("load", () => Promise.resolve(window.MathJax?.startup.promise).then(reach));
  addEventListener("resize", reach);

  /* Tables: sort by a column, filter rows ---------------------------------------------------------- */

  /* Numbers in order, then words, then cells without an answer: in both directions. */
  const key = (cell) => {
    if (cell.querySelector(".em-empty, .em-na")) return [3, ""];
    const text = (cell.dataset.sort ?? cell.textContent).trim();
    if (cell.dataset.sort === undefined && cell.querySelector(".em-chip.em-U")) return [2, text];
    const number = text === "" ? NaN : Number(text);
    return Number.isNaN(number) ? [1, text] : [0, number];
  };

  for (const table of all("table[data-em-sort]")) {
    const heads = all("thead th", table);
    heads.forEach((head, column) => {
      const button = element('<button type="button" class="em-sort"></button>');
      if (head.querySelector("a")) {
        button.append(element(`<span class="em-vh">Sort by ${escape(head.textContent.trim())}</span>`));
        head.append(button);
      } else {
        button.append(...head.childNodes);
        head.append(button);
      }
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        const rows = [...body.rows].map((row) => [key(row.cells[column]), row]);
        rows.sort(([[kindA, a]], [[kindB, b]]) => {
          if (kindA !== kindB) return kindA - kindB;
          const order = kindA === 0 ? a - b : a.localeCompare(b, "en", { numeric: true });
          return down && kindA < 2 ? -order : order;
        });
        body.append(...rows.map(([, row]) => row));
      });
    });
  }

  /* 10K, 1,800 or 14.8T as a number. */
  const scale = { k: 1e3, m: 1e6, b: 1e9, t: 1e12 };
  const numeral = (text) => {
    const [, digits, unit] = /^(-?[\d.,]+)\s*([kmbt]?)$/i.exec(text.trim()) ?? [];
    return digits ? Number(digits.replaceAll(",", "")) * (scale[unit.toLowerCase()] ?? 1) : NaN;
  };

  for (const tools of all(".em-tools:has([data-em-filter])")) {
    const { filter, least, most } = Object.fromEntries(all("input", tools).map((input) => [input.name, input]));
    const inputs = [filter, least, most].filter(Boolean);
    const rows = all("tbody tr", tools.nextElementSibling);
    const words = rows.map((row) => row.textContent.toLowerCase());
    /* What the quantity surely lies between; NaN where there is none. */
    const ends = ({ dataset: { low, high } }) => low === undefined ? [NaN, NaN] : [Number(low || -Infinity), Number(high || Infinity)];
    const status = tools.querySelector("[data-em-rows]");
    const sift = () => {
      const asked = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      const odd = [least, most].find((input) => input?.value.trim() && Number.isNaN(numeral(input.value)));
      if (odd) return void (status.textContent = `“${odd.value}” is no number: write 10K, 1,800 or 14.8T`);
      const from = least?.value.trim() ? numeral(least.value) : -Infinity;
      const to = most?.value.trim() ? numeral(most.value) : Infinity;
      const bounded = from !== -Infinity || to !== Infinity;
      let there = 0, shown = 0, maybe = 0, unknown = 0;
      rows.forEach((row, i) => {
        const named = asked.every((word) => words[i].includes(word));
        const [low, high] = ends(row);
        const fits = !bounded || (low >= from && high <= to);
        row.hidden = !named || !fits;
        if (row.hasAttribute("data-em-later")) return;
        there += 1;
        shown += row.hidden ? 0 : 1;
        if (!named || fits) return;
        if (row.querySelector(".em-chip.em-U")) unknown += 1;
        else if (!(high < from || low > to)) maybe += 1;
      });
      const number = (n) => n.toLocaleString("en");
      status.textContent = (shown === there ? `${number(shown)} rows` : `${number(shown)} of ${number(there)} rows`) +
        (maybe ? `; ${maybe} more may fit (a bound or a range)` : "") + (unknown ? `; ${unknown} unknown` : "");
    };
    const given = address().searchParams;
    for (const input of inputs) input.value = given.get(input.name) ?? input.value;
    tools.addEventListener("input", () => {
      sift();
      const url = address();
      for (const { name, value } of inputs) value ? url.searchParams.set(name, value) : url.searchParams.delete(name);
      history.replaceState(null, "", url);
    });
    tools.addEventListener("em-day", sift);
    if (inputs.some((input) => input.value)) sift();
  }

  /* As of a day ------------------------------------------------------------------------------------ */

  /* A month or a year is over before its facts were surely known. */
  const known = (since) => since === "" || since.padEnd(10, "-99") <= day;
  /* The answer then: null for today's own, undefined for none. */
  const answerThen = (id, since, earlier) =>
    known(since) ? null : (earlier[id] ?? []).find(([, , , from, until]) => known(from) && day <= until);
  const dated = (text) => element(`<p class="em-dated">${escape(text)}</p>`);

  const switchDay = (to) => {
    const url = address();
    to ? url.searchParams.set("as-of", to) : url.searchParams.delete("as-of");
    location.href = url;
  };

  const showThen = (chipNode, [label, name, value]) => {
    chipNode.classList.remove(..."DCRIU".split("").map((l) => `em-${l}`));
    chipNode.classList.add(`em-${label}`);
    delete chipNode.dataset.s;
    for (const part of [chipNode.closest("td"), chipNode.closest("tr")]) if (part) ["sort", "low", "high"].forEach((name) => delete part.dataset[name]);
    chipNode.querySelector(".em-s")?.remove();
    chipNode.querySelector(".em-v").textContent = value;
    const letter = chipNode.querySelector(".em-l");
    if (letter) letter.textContent = label;
    const words = chipNode.querySelector(".em-vh") ?? chipNode.nextElementSibling;
    words.textContent = ` ${name}`;
  };

  const turnBack = ({ earlier, last }) => {
    const noted = new Set();
    for (const node of all("[data-p]")) {
      const id = node.dataset.c ?? "";
      const then = answerThen(id, node.dataset.p, earlier);
      if (then === null) continue;
      const isChip = node.classList.contains("em-chip");
      if (then === undefined) {
        if (isChip && !node.closest(".em-note")) node.replaceWith(element('<span class="em-notyet">not public yet</span>'));
        else if (!isChip) node.toggleAttribute("data-em-later", true);
        continue;
      }
      const words = `On ${day} the answer was: ${then[2]} (${then[1]}).`;
      if (isChip) {
        if (!node.closest(".em-note")) showThen(node, then);
        const note = document.getElementById(node.getAttribute("popovertarget") ?? "");
        if (note && !noted.has(note)) note.prepend(dated(`${words} Below is what is known since ${node.dataset.p}.`));
        noted.add(note);
      } else if (node.matches(".em-claim")) {
        node.querySelector(".em-answer").append(dated(`${words} Below is what is known since ${node.dataset.p}.`));
      }
    }
    for (const figure of all("[data-em-drawn]"))
      figure.prepend(dated(`As of ${figure.dataset.emDrawn}: this does not follow the day.`));
    for (const table of all(".em-table:not([data-em-map] *, [data-em-drawn] *, [data-em-explorer] *, [data-em-pair] *, :has([data-p]))"))
      table.parentElement.before(dated(`As of ${last}: this table does not follow the day.`));
    for (const table of all(".em-table:has(tr[data-em-later])")) {
      const rows = all("tbody tr", table);
      const then = rows.filter((row) => !row.hasAttribute("data-em-later")).length;
      table.caption?.append(dated(`On ${day} there were ${then} of these ${rows.length} rows.`));
    }
    for (const text of all("[data-em-written]"))
      text.prepend(dated(`Written as of ${text.dataset.emWritten}: the chips follow the day, the text does not.`));
    for (const list of all(".em-claims"))
      if (!list.querySelector(".em-claim:not([data-em-later])")) list.append(element('<p class="em-notyet">Nothing was public yet.</p>'));
    const here = all(".em-claim:not([data-em-later]) .em-big");
    for (const node of all("[data-em-count-here]"))
      node.textContent = here.filter((big) => big.classList.contains(`em-${node.dataset.emCountHere}`)).length.toLocaleString("en");
    for (const link of all("a[href]")) {
      const url = new URL(link.href, location.href);
      if (link.getAttribute("href").startsWith("#") || !url.href.startsWith(root.href)) continue;
      url.searchParams.set("as-of", day);
      link.href = url.href;
    }
    for (const tools of all(".em-tools")) tools.dispatchEvent(new Event("em-day"));
    const banner = element(
      `<div class="em-banner" role="status"><p>This is what could be known on <time datetime="${day}">${day}</time>.</p>` +
        `<button type="button" class="em-button">Back to ${escape(last)}</button></div>`,
    );
    banner.querySelector("button").addEventListener("click", () => switchDay(""));
    document.querySelector("article.md-content__inner").prepend(banner);
  };

  /* A row of a heat map is the first day of its claims and its cells, a cell its states with the first day of each. */
  const mapThen = (table, rows) => {
    const sums = table.tFoot.rows[0].cells;
    const columns = Array(sums.length).fill(0);
    [...table.tBodies[0].rows].forEach((row, r) => {
      const [first, cells] = rows[r];
      row.toggleAttribute("data-em-later", first > day);
      let sum = 0;
      cells.forEach((states, c) => {
        if (!states.length) return;
        const [, label, words, id] = states.findLast(([since]) => since <= day);
        const cell = row.cells[c + 1];
        cell.className = `em-${{ "": "none", "-": "off" }[label] ?? label}`;
        const href = new URL(`claims/${id.replace("/", `/?as-of=${day}#`)}`, root).href;
        cell.innerHTML = id ? `<a href="${escape(href)}" title="${escape(words)}">${label}<span class="em-vh"> ${escape(words)}</span></a>` : `<i>${escape(words)}</i>`;
        if (first > day || !"DCRI".includes(label || "-")) return;
        sum += 1;
        columns[c + 1] += 1;
      });
      row.lastElementChild.textContent = sum;
    });
    columns.slice(1, -1).forEach((sum, c) => (sums[c + 1].textContent = sum));
  };

  const countThen = (data, earlier) => {
    const counts = Object.fromEntries(data.labels.map((label) => [label, 0]));
    for (let i = 0; i < data.subject.length; i++) {
      const then = answerThen(idOf(data, i), data.days[data.public[i]] ?? "", earlier);
      if (then === null) counts[data.labels[data.label[i]]] += 1;
      else if (then) counts[then[0]] += 1;
    }
    for (const node of all("[data-em-count]")) {
      const label = node.dataset.emCount;
      const number = label === "all" ? Object.values(counts).reduce((a, b) => a + b, 0) : counts[label];
      node.textContent = number.toLocaleString("en");
    }
  };
  const idOf = (data, i) =>
    data.subjects[data.subject[i]][0] + "/" + data.aspects[data.aspect[i]][0] + data.tail[i];

  for (const form of all("[data-em-asof]")) {
    const input = form.elements["as-of"];
    input.value = day;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      switchDay(input.value);
    });
    input.addEventListener("change", () => {
      if (input.value === "" || /^(19|20)\d\d-/.test(input.value)) switchDay(input.value);
    });
  }
  const past = day ? json("data/as-of.json") : Promise.resolve({ earlier: {} });
  if (day)
    past
      .then(async (data) => {
        turnBack(data);
        for (const map of all("[data-em-map]")) mapThen(map.querySelector("table"), await json(`data/maps/${map.dataset.emMap}.json`));
        if (document.querySelector("[data-em-count]")) countThen(await json("data/explorer.json"), data.earlier);
      })
      .catch((error) => {
        const banner = element('<div class="em-banner" role="alert"><p></p></div>');
        failure(banner.firstChild, error);
        document.querySelector("article.md-content__inner").prepend(banner);
      });

  /* The claims explorer ----------------------------------------------------------------------------- */

  const explore = async (place) => {
    const form = place.querySelector("form");
    const status = place.querySelector(".em-status");
    const results = place.querySelector(".em-results");
    status.textContent = "Loading the claims …";
    const [data, { earlier }] = await Promise.all([json(here(place.dataset.emExplorer)), past]);
    const rows = [];
    for (let i = 0; i < data.subject.length; i++) {
      const since = data.days[data.public[i]] ?? "";
      const then = day ? answerThen(idOf(data, i), since, earlier) : null;
      if (then === undefined) continue;
      const [id, name, lab, page] = data.subjects[data.subject[i]];
      const [aspect, title, group] = data.aspects[data.aspect[i]];
      rows.push({
        name, title, aspect, group, subject: id, tail: data.tail[i], lab: data.labs[lab][0],
        label: then ? then[0] : data.labels[data.label[i]],
        word: then ? then[1] : data.label_names[data.label[i]],
        value: then ? then[2] : "…", i: then ? -1 : i,
        state: then ? "" : data.states[data.state[i]],
        since: then ? then[3] : since, checked: data.days[data.checked[i]] ?? "",
        href: new URL(`${page}${day ? `?as-of=${day}` : ""}#${aspect}${data.tail[i]}`, root).href, text: "",
      });
    }
    const read = (row) => (row.text = `${row.name} ${row.subject}/${row.aspect}${row.tail} ${row.title} ${row.value}`.toLowerCase());
    rows.forEach(read);

    /* A facet says how it reads a row and which values it has: [value, title]. */
    const unique = (pick) => [...new Set(rows.map(pick))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    const boxes = {
      label: ["Label", data.labels.map((l, i) => [l, `${l} ${data.label_names[i]}`])],
      state: ["Evidence", data.states.filter(Boolean).map((s) => [s, s])],
      lab: ["Lab", data.labs],
      group: ["Kind of aspect", unique((row) => row.group).map((g) => [g, g])],
    };
    const lists = {
      subject: ["Subject", data.subjects.map(([id, name]) => [id, name])],
      aspect: ["Aspect", data.aspects.map(([id, title]) => [id, title])],
    };
    const dates = {
      "public-from": ["Public from", (row, v) => row.since >= v],
      "public-to": ["Public up to", (row, v) => row.since !== "" && row.since.padEnd(10, "-99") <= v],
      "checked-before": ["Checked before", (row, v) => row.checked !== "" && row.checked < v],
    };
    form.innerHTML =
      '<fieldset><legend><label for="em-q">Words</label></legend><input type="search" id="em-q" name="words" placeholder="subject, aspect, value, id"></fieldset>' +
      `<details class="em-more em-fold"${matchMedia("(min-width: 60em)").matches ? " open" : ""}><summary>Narrow down</summary>` +
      Object.entries(boxes).map(([name, [title, values]]) =>
        `<fieldset><legend>${title}</legend><div class="em-many">` +
        values.map(([v, t]) => `<label><input type="checkbox" name="${name}" value="${escape(v)}"><span>${escape(t)}</span><small data-k="${name}/${escape(v)}"></small></label>`).join("") +
        "</div></fieldset>").join("") +
      Object.entries(lists).map(([name, [title, values]]) =>
        `<fieldset><legend><label for="em-${name}">${title}</label></legend><select id="em-${name}" name="${name}"><option value="">all</option>` +
        values.map(([v, t]) => `<option value="${escape(v)}">${escape(t)}</option>`).join("") + "</select></fieldset>").join("") +
      Object.entries(dates).map(([name, [title]]) =>
        `<fieldset><legend><label for="em-${name}">${title}</label></legend><input type="date" id="em-${name}" name="${name}"></fieldset>`).join("") +
      '<fieldset><legend><label for="em-order">Order</label></legend><select id="em-order" name="order"><option value="">by subject</option><option value="newest">newest first</option><option value="stale">longest unchecked first</option></select></fieldset></details>' +
      '<button type="reset" class="em-button">Clear all</button>';
    const names = Object.keys(boxes);
    const counters = all("small[data-k]", form);
    const slot = new Map(counters.map((node, i) => [node.dataset.k, i]));
    for (const row of rows) row.at = names.map((name) => slot.get(`${name}/${row[name]}`) ?? -1);

    const readAddress = () => {
      const given = address().searchParams;
      for (const control of form.elements) {
        if (!control.name) continue;
        if (control.type === "checkbox") control.checked = given.getAll(control.name).includes(control.value);
        else control.value = given.get(control.name) ?? "";
      }
    };
    /* What is typed replaces the address, what is chosen is a step to go back from. */
    const writeAddress = (typed) => {
      const url = address();
      url.search = "";
      for (const [name, value] of new FormData(form)) if (value) url.searchParams.append(name, value);
      if (day) url.searchParams.set("as-of", day);
      if (url.href !== location.href) history[typed ? "replaceState" : "pushState"](null, "", url);
    };

    let found = rows;
    let shown = 0;
    let step = 60;
    const line = (row) =>
      `<tr><th scope="row"><a href="${escape(row.href)}">${escape(row.name)}</a></th><td data-l="Aspect">${escape(row.title)}${row.tail ? ` <span class="em-unit">${escape(row.tail)}</span>` : ""}</td>` +
      `<td data-l="Value">${chip(row.href, row.label, row.word, row.value, row.state)}</td>` +
      `<td data-l="Public since"><time datetime="${row.since}">${row.since}</time></td><td data-l="Checked"><time datetime="${row.checked}">${row.checked}</time></td></tr>`;
    const more = () => {
      results.querySelector("tbody").insertAdjacentHTML("beforeend", found.slice(shown, shown + step).map(line).join(""));
      shown = Math.min(shown + step, found.length);
      step = 300;
      const button = results.querySelector("[data-em-next]");
      button.hidden = shown === found.length;
      button.textContent = `Show ${Math.min(step, found.length - shown)} more`;
    };
    results.innerHTML =
      '<div class="em-scroll em-cards" tabindex="0" role="region" aria-label="Claims found"><table class="em-table"><caption class="em-vh">Claims found</caption><thead><tr><th scope="col">Subject</th><th scope="col">Aspect</th><th scope="col">Value</th><th scope="col">Public since</th><th scope="col">Checked</th></tr></thead><tbody></tbody></table></div>' +
      '<button type="button" class="em-button" data-em-next></button>';
    results.querySelector("[data-em-next]").addEventListener("click", more);

    const refine = () => {
      const asks = new FormData(form);
      const words = asks.get("words").toLowerCase().split(/\s+/).filter(Boolean);
      const tests = words.map((word) => (row) => row.text.includes(word));
      for (const name in lists) if (asks.get(name)) tests.push((row) => row[name] === asks.get(name));
      for (const name in dates) if (asks.get(name)) tests.push((row) => dates[name][1](row, asks.get(name)));
      const chosen = names.map((name) => new Set(asks.getAll(name)));
      const tally = new Uint32Array(counters.length + 1);
      found = [];
      for (const row of rows) {
        if (!tests.every((test) => test(row))) continue;
        /* A facet counts what there would be if it alone were open. */
        let misses = 0;
        let missed = -1;
        for (let i = 0; i < names.length; i++)
          if (chosen[i].size && !chosen[i].has(row[names[i]])) (misses += 1), (missed = i);
        if (misses === 0) found.push(row);
        if (misses > 1) continue;
        for (let i = 0; i < names.length; i++) if (row.at[i] >= 0 && (misses === 0 || i === missed)) tally[row.at[i]] += 1;
      }
      counters.forEach((node, i) => (node.textContent = tally[i].toLocaleString("en")));
      if (asks.get("order") === "newest") found.sort((a, b) => b.since.localeCompare(a.since));
      if (asks.get("order") === "stale") found.sort((a, b) => a.checked.localeCompare(b.checked));
      results.querySelector("tbody").textContent = "";
      shown = 0;
      step = 60;
      more();
      status.textContent = found.length === 0
        ? "No claim fits. Clear a facet, or search with fewer words."
        : `${found.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} claims${day ? `, as of ${day}` : ""}`;
      const aspect = lists.aspect[1].find(([id]) => id === asks.get("aspect"));
      if (aspect) status.append(" · ", element(`<a href="${new URL(`compare/${aspect[0]}/${day ? `?as-of=${day}` : ""}`, root).href}">${escape(aspect[1])} of all subjects, in order</a>`));
    };
    form.addEventListener("input", ({ target }) => (refine(), writeAddress(target.matches("[type=search], [type=date]"))));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => (refine(), writeAddress())));
    addEventListener("popstate", () => (readAddress(), refine()));
    readAddress();
    refine();
    /* Values are the heavy column: the rows stand before it is there. */
    const values = await json(here(place.dataset.emExplorer.replace(".json", "-values.json")));
    for (const row of rows) if (row.i >= 0) (row.value = values[row.i]), read(row);
    refine();
  };
  for (const place of all("[data-em-explorer]"))
    explore(place).catch((error) => failure(place.querySelector(".em-status"), error));

  /* Two subjects side by side -------------------------------------------------------------------------- */

  const compare = (place) => {
    const form = place.querySelector("form");
    const status = place.querySelector(".em-status");
    const out = place.querySelector(".em-pair-out");
    const given = address().searchParams;
    for (const name of ["a", "b"]) form.elements[name].value = given.get(name) ?? "";
    form.elements.differ.checked = given.has("differ");

    const side = (subject, claims) =>
      claims.length === 0 ? nobody : `<ul class="em-list em-chips">${claims.map((c) =>
        `<li>${chip(new URL(`${subject.href}#${c.anchor}`, root).href, c.label, c.label_name, c.value, c.state)}</li>`).join("")}</ul>`;
    const show = async () => {
      const url = address();
      for (const [name, value] of [["a", form.elements.a.value], ["b", form.elements.b.value], ["differ", form.elements.differ.checked ? "1" : ""]])
        value ? url.searchParams.set(name, value) : url.searchParams.delete(name);
      history.replaceState(null, "", url);
      out.textContent = "";
      const ids = [form.elements.a.value, form.elements.b.value];
      if (!ids.every(Boolean)) return void (status.textContent = "Choose two subjects.");
      const [{ earlier }, ...pair] = await Promise.all([past, ...ids.map((id) => json(here(`${place.dataset.emPair}${id}.json`)))]);
      const rows = new Map();
      pair.forEach((subject, i) => {
        for (const c of subject.claims) {
          const then = day ? answerThen(`${subject.id}/${c.aspect}${c.tail}`, c.public, earlier) : null;
          if (then === undefined) continue;
          const claim = then ? { ...c, label: then[0], label_name: then[1], value: then[2], state: "" } : c;
          if (!rows.has(c.aspect)) rows.set(c.aspect, { title: c.title, group: c.group, sides: [[], []] });
          rows.get(c.aspect).sides[i].push(claim);
        }
      });
      const said = (claims) => claims.map((c) => `${c.label} ${c.value}`).sort().join("; ");
      const groups = Map.groupBy([...rows.values()].filter(({ sides: [a, b] }) => !form.elements.differ.checked || said(a) !== said(b)), (row) => row.group);
      const width = ids.length + 1;
      const body = [...groups].map(([group, list]) =>
        `<tr><th scope="rowgroup" colspan="${width}" class="em-group">${escape(group)}</th></tr>` +
        list.map((row) => `<tr><th scope="row">${escape(row.title)}</th>${row.sides.map((claims, i) => `<td data-l="${escape(pair[i].name)}">${side(pair[i], claims)}</td>`).join("")}</tr>`).join("")).join("");
      const title = `${pair[0].name} and ${pair[1].name}`;
      out.innerHTML =
        `<div class="em-scroll em-cards em-dense em-hold" tabindex="0" role="region" aria-label="${escape(title)}"><table class="em-table em-pairs"><caption><b>${escape(title)}</b></caption>` +
        `<thead><tr><th scope="col">Aspect</th>${pair.map((s) => `<th scope="col"><a href="${escape(new URL(s.href, root).href)}">${escape(s.name)}</a></th>`).join("")}</tr></thead><tbody>${body}</tbody></table></div>`;
      const count = [...groups.values()].reduce((n, list) => n + list.length, 0);
      status.textContent = `${count} aspects${day ? `, as of ${day}` : ""}`;
    };
    const run = () => show().catch((error) => failure(status, error));
    form.addEventListener("change", run);
    form.addEventListener("submit", (event) => event.preventDefault());
    run();
  };
  all("[data-em-pair]").forEach(compare);
})();
