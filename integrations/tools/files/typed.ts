/** More ways in which people type requests about their files, for the embedded planner. Data only. Called by phrases.ts. */

export const FILES_TYPED = {
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
      '(where is|wheres) (my|the) (file|document) (about|on|with) [the|my] {what}',
      '(search|look through) my (files|documents) for [the|my] {what}',
      '(which|what) (file|document) (is about|mentions|talks about) [the|my] {what}',
    ],
    de: ['(finde|suche) meine datei (über|zu) {what}'],
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
