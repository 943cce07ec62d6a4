/** Phrases of requests about the owner's files, and the plan of each. Data only. Collected by `npm run tables`. */

import { TYPED } from '#typed/files'
import { MORE, MORE_GERMAN } from '../onward-words.ts'
import { type Phrases, words } from '../phrase.ts'
import { UNDO, UNDO_GERMAN } from '../undo-words.ts'

/** Letters beyond ASCII, in the form that the sentence grammar uses. */
const LETTERS = '\\u00c0-\\u1fff\\u2c00-\\ud7ff'
/** Extensions of files that people write or keep; they distinguish a name from words. */
const ENDINGS =
  'md|markdown|txt|text|csv|tsv|pdf|html?|org|rst|log|json|ya?ml|toml|tex|ics|vcf|xml|rtf|adoc|docx?|odt|xlsx?|ods|pptx?|odp'
const FILE = `(?:["“„][^"“”„\\n]{1,150}["”“]|[\\w${LETTERS}][\\w${LETTERS}./()+-]{0,150}\\.(?:${ENDINGS}))`

function step(tool: string, args: { readonly [name: string]: string }) {
  return [{ id: 's1', do: 'tool', tool, args }] as const
}

/** The file and its version are looked up first: both are shown on the card. */
function change(tool: string, text: { readonly [name: string]: string }) {
  return [
    ...step('files.find', { file: '{file}' }),
    {
      ...{ id: 's2', do: 'tool', tool },
      args: { path: { $ref: 's1.path' }, version: { $ref: 's1.version' }, ...text },
    },
  ] as const
}

/** The old and the new place are looked up first: both are shown on the card. */
function moving(to: string) {
  return [
    ...step('files.spot', { file: '{file}', to }),
    {
      ...{ id: 's2', do: 'tool', tool: 'files.move' },
      args: { path: { $ref: 's1.path' }, to: { $ref: 's1.to' }, version: { $ref: 's1.version' } },
    },
  ] as const
}

const RELOCATING: Phrases['asks'] = [
  {
    says: { en: MORE, de: MORE_GERMAN },
    onward: 'nothing_more',
    plan: step('files.read', {}),
  },
  {
    says: {
      en: ['(rename|call) [my|the] [<file>] {file} (to|as|into) {file_too}'],
      de: ['(benenne|benenn) [die] [datei] {file} (in|zu) {file_too} um'],
    },
    plan: moving('{file_too}'),
  },
  {
    says: {
      en: [
        '(rename) [my|the] [<file>] {file} (to|as|into) {what}',
        '(move|put) [my|the] [<file>] {file} (to|into|in) [the|my] folder {what}',
        '(move|put) [my|the] [<file>] {file} (to|into|in) [the|my] {what} folder',
      ],
      de: ['(verschieb|verschiebe) [die] [datei] {file} (in|nach) [den ordner] {what}'],
    },
    plan: moving('{what}'),
  },
  {
    says: {
      en: ['(delete|remove|trash|throw away|bin) [my|the] [<file>] {file}'],
      de: ['(lösche|lösch|entferne) [die] [datei] {file}'],
    },
    plan: [
      ...step('files.spot', { file: '{file}' }),
      {
        ...{ id: 's2', do: 'tool', tool: 'files.delete' },
        args: { path: { $ref: 's1.path' }, version: { $ref: 's1.version' } },
      },
    ],
  },
  {
    says: {
      en: [UNDO, '(bring|put|move) (it|that|the <file>) back', '(restore|undelete) (it|that|the <file>)'],
      de: [UNDO_GERMAN, '(stell|stelle|hol|hole) (sie|es|die datei) (wieder her|zurück)'],
    },
    back: { by: 'files.put_back', of: ['files.move', 'files.delete'], unknown: 'nothing_moved' },
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'files.put_back' },
        args: { now: '{back.now}', was: '{back.was}', version: '{back.version}' },
      },
    ],
  },
  {
    says: {
      en: [
        UNDO,
        '(take|remove) (it|that|the line|what you wrote) (out|off) again',
        '(restore|bring back) (the old (text|version|<file>)|what was there) [before]',
      ],
      de: [
        UNDO_GERMAN,
        '(stell|stelle|hol|hole) (den alten text|die alte fassung|die alte datei) (wieder her|zurück)',
      ],
    },
    back: {
      ...{ by: 'files.take_back', of: ['files.write', 'files.append'] },
      ...{ needs: ['undo'], unknown: 'nothing_written' },
    },
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'files.take_back' },
        args: { path: '{back.path}', version: '{back.version}', undo: '{back.undo}' },
      },
    ],
  },
]

/** Words for the only file of a kind, by language. */
const KINDS = {
  spreadsheet: {
    en: '(spreadsheet|excel file|excel sheet|workbook)',
    de: '(tabelle|exceltabelle|excel-datei)',
  },
  document: { en: '(word document|word file|docx)', de: '(word-datei|word-dokument)' },
  presentation: { en: '(presentation|slides|powerpoint|slide deck)', de: '(präsentation|folien|powerpoint)' },
  pdf: { en: '(pdf|pdf file)', de: '(pdf|pdf-datei)' },
  calendar: { en: '(calendar file|ics file)', de: '(kalenderdatei|ics-datei)' },
} as const

/** "Summarise the spreadsheet in my folder": if there are several, the answer lists their names. */
const BY_KIND: Phrases['asks'] = Object.entries(KINDS).map(([format, { en, de }]) => ({
  says: {
    en: [
      `<read> (the|my) [only] ${en} (in|from|of) (my|the) (folder|folders|files|documents)`,
      `(what is|what's|what does it say) in (the|my) ${en} (in|from|of) (my|the) (folder|folders|files|documents)`,
    ],
    de: [
      `(lies|öffne|zeig|zeige) [mir] (die|meine|das|mein) ${de} (in|aus) (meinem|meinen) (ordner|ordnern|dateien)`,
    ],
  },
  plan: step('files.read', { format }),
}))

export const FILES_PHRASES: Phrases = {
  typed: TYPED,
  shapes: {
    file: { pattern: FILE, example: 'shopping.md' },
    file_too: { pattern: FILE, example: 'groceries.md' },
  },
  lists: {
    en: {
      look: words('show / show me / list / list me / give me / what are / see'),
      file: words('file / document / text file / textfile'),
      files: words('files / documents / text files'),
      texts: words('files / notes / documents / file / note / document'),
      read: words(`
        read / read me / open / show / show me / what is in / what's in / what does it say in / tell me what is in
        summarise / summarize / sum up / give me a summary of / let me see / display / look into / look at
      `),
      sum: words(`
        summarise / summarize / sum up / give me a summary of / a summary of / read / read me / go through / tell me about
      `),
      about: words(
        'about / on / regarding / concerning / with / for / mentioning / that mentions / that mention',
      ),
      find: words('find / find me / search for / look for / where is / where are / get / get me / search'),
      own: words('my / the / a / any / all my / all the'),
      to: words('to / onto / on / in / into / at the end of / to the end of'),
      called: words('called / named / with the name'),
      that: words('that / saying / with / containing / with the text / and write'),
    },
  },
  sought: {
    names:
      'pdfs?|files?|documents?|docs?|word doc(?:ument)?|spreadsheets?|excel(?: sheet)?|scans?|folders?|paperwork|papers|dateien|datei|dokumente?|dokumenten|unterlagen|ordner|skripte?|tabelle|ablage',
    plan: step('files.search', { words: '{these}' }),
  },
  asks: [
    {
      says: {
        en: [
          '[<look>] [all] [of] my [own|newest|latest|recent|last] <files>',
          '<look> [all] [of] the [newest|latest|recent|last] <files>',
          '(what|which) <files> (do I have|are there|have I got|can you see|can you read)',
          "(what is|what's|whats|what are|show me|list) [the files] in my (folder|folders)",
        ],
        de: ['(zeig|zeige|liste) [mir] [alle] meine dateien [auf]', 'welche dateien (habe ich|gibt es)'],
      },
      plan: step('files.list', {}),
    },
    {
      says: {
        en: [
          '[<look>] [all] [of] my <files> (by name|in alphabetical order|alphabetically|sorted by name)',
          '<look> [all] [of] the <files> (by name|in alphabetical order|alphabetically|sorted by name)',
        ],
      },
      plan: step('files.list', { order: 'name' }),
    },
    {
      says: {
        en: [
          '[<look>] [all] [of] (my|the) <files> (in|of) [the|my] folder {what}',
          '[<look>] [all] [of] (my|the) <files> (in|of) [the|my] {what} folder',
          "(what is|what's|whats|what are|what <files> are|which <files> are) in [the|my] folder {what}",
          "(what is|what's|whats|what are|what <files> are|which <files> are) in [the|my] {what} folder",
          '(open|show|show me|look in|look into) (the|my) {what} folder',
        ],
        de: ['(was ist|was liegt|was gibt es|welche dateien sind) (im|in dem|in meinem) ordner {what}'],
      },
      // These words refer to a mail folder.
      unlike: '\\b(?:e-?mails?|mails?|messages|nachrichten|mail-?ordner)\\b',
      plan: step('files.list', { folder: '{what}' }),
    },
    {
      says: {
        en: [
          '<find> [<own>] (<file>|<files>) <about> {what}',
          '(search|look|look through|go through|search through|search in|look in) [all] [of] my <texts> for {what}',
          '(find|search for|search|look for) {what} (in|among) [all] [of] my (<files>|folder|folders)',
          '<find> [<own>] {what} (<file>|<files>)',
          '(which|what) [of my] (<file>|<files>) (mentions|mention|is about|are about|talks about|talk about|has|have) {what}',
          '(do I have|is there|have I got) (a|any) (<file>|<files>) <about> {what}',
        ],
        de: ['(finde|such|suche) [bitte] (meine|die|eine|alle) (datei|dateien) (über|zu|mit) {what}'],
      },
      plan: step('files.search', { words: '{what}' }),
    },
    {
      says: {
        en: [
          '<read> [my|the|in|of] [<file>|note] [<called>] {file}',
          "(what does|what is|what's) [my|the] [<file>] {file} (say|about|contain)",
        ],
        de: ['(lies|öffne|zeig|zeige) [mir] [die] [datei] {file} [vor]', 'was steht in [der] [datei] {file}'],
      },
      plan: step('files.read', { file: '{file}' }),
    },
    ...BY_KIND,
    ...RELOCATING,
    {
      says: {
        en: ['<read> (my|the) <file> [<called>] {what}', 'what does (my|the) <file> {what} say'],
      },
      plan: step('files.read', { file: '{what}' }),
    },
    {
      says: {
        en: [
          '<sum> [all] [of] my <texts> <about> {what}',
          '(what do|what does) my <texts> say (about|on|regarding|concerning) {what}',
          'what (have I|did I) (written|write) down (about|on) {what} in my <texts>',
        ],
        de: ['(fass|fasse) [bitte] meine (notizen|dateien) (zu|über) {what} zusammen'],
      },
      plan: step('files.gather', { words: '{what}' }),
    },
    {
      says: {
        en: [
          '(add|append|put|write|note) {what} <to> [my|the] [<file>|list] [<called>] {file}',
          'note {what} down in [my|the] [<file>] {file}',
        ],
        de: ['(schreib|schreibe|setz|setze) {what} (auf|in) [die] [datei|liste] {file}'],
      },
      plan: change('files.append', { line: '{what}' }),
    },
    {
      says: {
        en: [
          '(add|append|write|put) <to> [my|the] [<file>|list] [<called>] {file} [that|this] {topic}',
          'add [a] [line|lines] <to> [my|the] [<file>|list] {file} [<that>] {topic}',
          '(save|store|jot|note|add|append|write|put) (this|that|it) [down] <to> [my|the] [<file>|list] [<called>] {file} {topic}',
        ],
        de: [
          '(speicher|speichere|schreib|schreibe|notier|notiere) (das|dies) (in|auf) [meine|die] [datei|liste] {file} {topic}',
        ],
      },
      plan: change('files.append', { line: '{topic}' }),
    },
    {
      says: {
        en: [
          '(write|make|create|start|save) (a|the) [new] <file> [<called>] {file} [<that>] {topic}',
          '(write|create|save) {file} with [the text] {topic}',
          '(replace|overwrite) [all of] [what is in] [my|the] [<file>] {file} (with|by) [the text] {topic}',
        ],
      },
      plan: change('files.write', { text: '{topic}' }),
    },
    {
      says: {
        en: ['(write|save|put) {what} (to|in|into|as) (a|the) new <file> [<called>] {file}'],
      },
      plan: change('files.write', { text: '{what}' }),
    },
    {
      says: {
        en: [
          '(is there|do I have|where is|where does) (a|my|the) <file> [<called>] {file} [lie]',
          'where is {file}',
        ],
      },
      plan: step('files.find', { file: '{file}' }),
    },
  ],
}
