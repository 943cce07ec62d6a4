/** Further typed requests about files, for the embedded planner. Data only. Called by phrases.ts. */

export const TYPED = {
  'files.list': {
    en: [
      '(show|list|give|see) [me] [all] my [newest|recent|latest] (files|documents)',
      '(what|which) (files|documents) (do i have|are there|have i got)',
      'my [recent|newest] (files|documents)',
    ],
    de: ['(zeig|zeige) [mir] meine dateien', 'welche dateien habe ich'],
  },
  'files.search': {
    en: [
      '(find|search|look for) [me] (my|the|a) (file|document) (about|on|with) [the|my] {what}',
      '(where is|wheres) (my|the) (file|document|pdf|spreadsheet|scan) (about|on|with|for|of) [the|my] {what}',
      '(where is|wheres|find|find me|open|get) (my|the) {what} (pdf|spreadsheet|document|file|scan|doc)',
      'where did i (save|put|store|keep) (my|the) {what} [pdf|file|document|doc|scan|spreadsheet]',
      '(find|find me|look for) (my|the) (contract|thesis|cv|resume|manual|lease|certificate|passport scan) [with|for|from|of] [the|my] {what}',
      '(search|look through) my (files|documents) for [the|my] {what}',
      '(which|what) (file|document) (is about|mentions|talks about) [the|my] {what}',
      'where (have i|did i) (put|save|saved|store|stored|keep|kept|file|filed) (my|the) {what}',
      '(find|find me|look for|dig out|get me) (my|the|that) (contract|agreement|thesis|cv|resume|manual|lease|certificate|payslip|programme|program|minutes|letter|report|deck|slides) [with|for|from|of|about] [the|my] {what} [from] [{when}]',
      '(wheres|where is|where are) (my|the) (contract|payslip|tax return|cv|manual|lease|certificate|passport scan|birth certificate|report|minutes) [for|from|of] [{what}] [{when}]',
    ],
    de: [
      '(finde|find|such|suche) [mir] [meine|die|das|eine] (datei|dokument|pdf|skript|unterlagen) (über|zu|mit|von|vom|zum|für) {what}',
      'wo (ist|hab ich|habe ich|liegt) [die|das|mein|meine] (datei|dokument|pdf|skript|unterlagen) (über|zu|mit|von|vom|zum|für|mit dem) {what} [abgespeichert|gespeichert|abgelegt]',
      'wo (hab|habe) ich [die|das|den|mein|meine] {what} (abgespeichert|gespeichert|abgelegt|hingelegt)',
      'wo (hab|habe) ich [denn|nochmal] [die|das|den|mein|meine|meinen] {what} [vom|von|aus] [{when}] [abgespeichert|gespeichert|abgelegt]',
      'wo (ist|sind|liegt|liegen) [denn|nochmal] (mein|meine|der|die|das) (vertrag|arbeitsvertrag|mietvertrag|ausbildungsvertrag|gehaltsabrechnung|lohnabrechnung|lohnzettel|zeugnis|bescheid|steuerbescheid|versicherungsschein|rechnung|scan) [von|vom|für|als pdf] [{what}] [{when}]',
      '(wo|wo hab ich|wo habe ich) [ist] [nochmal] (die|meine|den|meinen) (gehaltsabrechnung|lohnabrechnung|arbeitsvertrag|mietvertrag|ausbildungsvertrag|bescheid) [vom|von|aus] [{when}]',
    ],
  },
  'files.read': {
    en: [
      '(read|open|show|summarise|summarize) [me] [the|my] [file] {file}',
      '(whats|what is) in [the|my] [file] {file}',
    ],
    de: ['(lies|öffne|zeig) [mir] [die] [datei] {file}', 'was steht in {file}'],
  },
  'files.gather': {
    en: [
      '(summarise|summarize|sum up) my (notes|files|documents) (on|about) [the|my] {what}',
      'what do my (notes|files|documents) say about [the|my] {what}',
    ],
  },
} as const
