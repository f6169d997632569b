// The search spelling of texts by the rules of hoyle.orthography.search_key: {rules, texts} on stdin, a list on stdout.
function folder(rules) {
  const word = new RegExp(rules.word, "gu"), other = new RegExp(rules.other, "gu");
  const apply = (text, [where, old, by, stem]) => {
    if (!text.includes(old) || [...text].length < [...old].length + stem) return text;
    if (where === "anywhere") return text.replaceAll(old, by);
    if (where === "start") return text.startsWith(old) ? by + text.slice(old.length) : text;
    return text.endsWith(old) ? text.slice(0, -old.length) + by : text;
  };
  const foldWord = (text) => {
    let folded = text.normalize(rules.normalize).toLowerCase();
    for (const [parted, whole] of rules.keep) folded = folded.replaceAll(parted, whole);
    folded = folded.replace(other, "");
    for (let before = null; before !== folded; ) {
      before = folded;
      for (const rule of rules.rules) folded = apply(folded, rule);
    }
    return folded;
  };
  return (text) => (text.match(word) ?? []).map(foldWord).filter(Boolean).join(" ");
}

const { rules, texts } = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map(folder(rules))));
