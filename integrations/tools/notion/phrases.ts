/** Phrases of requests about Notion, and the plan of each. Data only. Collected by `npm run tables`. */

import { TYPED } from '#typed/notion'
import { type Phrases, words } from '../phrase.ts'
import { UNDO, UNDO_GERMAN } from '../undo-words.ts'

function step(tool: string, args: { readonly [name: string]: string }) {
  return [{ id: 's1', do: 'tool', tool, args }] as const
}

const ORDINAL =
  'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|[1-9]\\d?(?:st|nd|rd|th)'
const GERMAN_ORDINAL = '(?:erst|zweit|dritt|viert|fünft|letzt)e[nrs]?'
const ROW = '(?:row|entry|item|one|zeile|eintrag)'
/** A row that was just shown, by a pronoun or its position. */
const THING = `(?:it|(?:this|that)(?: ${ROW})?|the (?:${ROW}|(?:${ORDINAL})(?: ${ROW})?)|(?:row|entry|number|zeile|eintrag|nummer) #?[1-9]\\d?|sie|es|(?:den|die|das|der|dem) (?:${ROW}|${GERMAN_ORDINAL}(?: ${ROW})?))`
/** Whether it is done, in words of a checkbox or a status. */
const STATE =
  '(?:not (?:yet )?done|done|complete|completed|finished|undone|open|to do|in progress|erledigt|fertig|offen|nicht erledigt)'
/** Common column names, which need no word such as "column". */
const COLUMN =
  '(?:status|state|stage|progress|due|due date|deadline|priority|prio|effort|estimate|fälligkeit|frist|fällig|priorität|aufwand|fortschritt)'

/** The row that was shown last, of a database or by itself. */
const SHOWN_ROW = {
  ...{ lists: ['notion.query_db'], list: 'rows', first: 'none', unknown: 'which_row' },
  ...{ one: ['notion.read_page', 'notion.set_cell', 'notion.add_row'], only: ['notion.query_db'] },
} as const

/** A cell of a row, by the row's title or of a row that was shown. */
function cell(row: string, args: { readonly [name: string]: string }) {
  return step('notion.set_cell', { row, ...args })
}

/** Come before the sentences that append to a page: "add the comment" is about a comment. */
const COMMENTS: Phrases['asks'] = [
  {
    says: {
      en: [
        '[<look>] [the] [open] comments (on|of|for|from) [<mine>] notion <page> {page}',
        '[<look>] [the] [open] comments (on|of|for|from) [<mine>] [<page>] {page} <in_notion>',
        '(what|which) comments (are there|are) (on|for) [<mine>] notion <page> {page}',
        '(who|did anybody|did anyone|has anybody|has anyone) (commented|comment) on [<mine>] notion <page> {page}',
      ],
      de: [
        '(zeig|zeige|lies) [mir] [die] kommentare (der|zur|auf der|zu meiner|auf meiner) notion-seite {page}',
        'welche kommentare (gibt es|stehen) (zu|auf|zur|auf der) notion-seite {page}',
      ],
    },
    plan: step('notion.comments', { page: '{page}' }),
  },
  {
    says: {
      en: [
        '(add|leave|write|post|put) (the|a) comment {what} (on|to|under|for) [<mine>] notion <page> {page}',
        '(add|leave|write|post) (the|a) comment {what} (on|to|under) [<mine>] [<page>] {page} <in_notion>',
        'comment {what} (on|under) [<mine>] notion <page> {page}',
      ],
      de: ['(kommentier|kommentiere) [die|meine] notion-seite {page} mit {what}'],
    },
    plan: step('notion.comment', { page: '{page}', text: '{what}' }),
  },
  {
    says: {
      en: [
        '(comment|leave a comment|add a comment|write a comment) (on|under|to) [<mine>] notion <page> {headed} {topic}',
      ],
      de: ['(kommentier|kommentiere) [die|meine] notion-seite {headed} {topic}'],
    },
    plan: step('notion.comment', { page: '{headed}', text: '{topic}' }),
  },
]

/** Restores the former value of the column that was set last. */
const SETTING_BACK: Phrases['asks'][number] = {
  says: {
    en: [
      UNDO,
      '(set|put|change) (it|that|the (row|entry|column|status|date)) back [to] [what it was|how it was|as it was] [before]',
    ],
    de: [UNDO_GERMAN, '(setz|setze|stell|stelle) (es|das|(den|diesen) eintrag) [wieder] (zurück|wie vorher)'],
  },
  back: {
    ...{ of: ['notion.set_cell'], by: 'notion.set_cell' },
    ...{ needs: ['was'], unknown: 'nothing_set' },
  },
  plan: [
    {
      ...{ id: 's1', do: 'tool', tool: 'notion.set_cell' },
      args: { row: '{back.id}', column: '{back.cell}', to: '{back.was}', exactly: true },
    },
  ],
}

export const NOTION_PHRASES: Phrases = {
  typed: TYPED,
  thing: [
    {
      ...{ lists: ['notion.search'], list: 'pages', first: 'none', one: ['notion.read_page'], only: [] },
      ...{
        unknown: 'not_understood',
        called: 'pages?|seiten?|databases?|datenbank(?:en)?',
      },
      opens: step('notion.read_page', { page: '{one.id}' }),
    },
    {
      ...{ lists: ['notion.query_db'], list: 'rows', first: 'none', one: [], only: [] },
      ...{ unknown: 'not_understood', called: 'rows?|entr(?:y|ies)|zeilen?|eintr[aä]ge?' },
      opens: step('notion.read_page', { page: '{one.id}' }),
    },
  ],
  shapes: {
    /** A title followed by a colon and any text. */
    headed: { pattern: '[^\\s:]{1,60}(?: [^\\s:]{1,60}){0,7}(?=:)', example: 'Todo:' },
    /** Common names for a database of tasks. */
    listed: { pattern: '(?:tasks|task list|to-dos|todos|to-do list|todo list|entries)', example: 'tasks' },
    thing: { pattern: THING, example: 'the second one' },
    cell_state: { pattern: STATE, example: 'done' },
    cell: { pattern: COLUMN, example: 'status' },
    link: {
      pattern: 'https?://(?:[a-z0-9-]+\\.)*notion\\.(?:so|site|com)/\\S{1,300}',
      example: 'https://www.notion.so/Roof-0123456789abcdef0123456789abcdef',
    },
  },
  lists: {
    en: {
      mine: words('my / the / our'),
      in_notion: words('in notion / on notion / in my notion / from notion / from my notion / at notion'),
      look: words('show / show me / open / read / read me / get / get me / display / pull up / bring up'),
      sum: words('summarise / summarize / sum up'),
      page: words('page / note / doc / document'),
      base: words('database / table / board / tracker / list'),
      rows: words('tasks / to-dos / todos / entries / items / rows / cards'),
      make: words('make / create / add / start / write / open / new / make me / create me'),
      that: words('called / named / titled / with the title / about'),
      put: words('add / put / write / append / note / jot down / jot'),
      into: words('to / in / into / on / onto / at the end of / at the bottom of'),
    },
  },
  asks: [
    {
      says: {
        en: [
          '(search|look in|look through|check|search in) [<mine>] notion for {what}',
          '(find|search for|look for|look up|search) [the <page>|the <base>|<mine> <page>|<mine> <base>] {what} <in_notion>',
          '(is there|do I have|have I got) (anything|something|a <page>|any <page>) (about|on|for) {what} <in_notion>',
          '(what|anything|what do I have|what is there) (about|on) {what} <in_notion>',
          '(what did I|what have I) (write|note|written|noted) (about|on) {what} <in_notion>',
          'notion search [for] {what}',
        ],
        de: ['(suche|such) [bitte] in notion nach {what}', '(finde|find) {what} in notion'],
      },
      plan: step('notion.search', { words: '{what}' }),
    },
    {
      says: {
        en: [
          '(<look>|<sum>) [<mine>] notion <page> {page}',
          '(<look>|<sum>) (<mine> <page>|<mine>|<page>) {page} <in_notion>',
          "(what is|what's|what does it say) (on|in) [<mine>] notion <page> {page}",
          '(what does|what did) [<mine>] notion <page> {page} say',
        ],
        de: ['(zeig|zeige|öffne|lies) [mir] [die|meine] notion-seite {page}'],
      },
      plan: step('notion.read_page', { page: '{page}' }),
    },
    {
      says: { en: ['(<look>|<sum>) [<page>] {link}', "(what is|what's) (on|in) {link}"] },
      plan: step('notion.read_page', { page: '{link}' }),
    },
    {
      says: {
        en: [
          "(what is|what's|what are|which are|show me|show|list|is anything) [still|the] (open|left|to do|unfinished|not done) (in|on|of|from) [<mine>] notion {page}",
          '(<look>|list|what are) [<mine>] (open|unfinished) (entries|rows|items|cards) (in|of|from) [<mine>] notion {page}',
          "(what is|what's) [still] (open|left|to do|unfinished) (in|on) <mine> {page} <in_notion>",
        ],
      },
      plan: step('notion.query_db', { database: '{page}', state: 'open' }),
    },
    {
      says: {
        en: [
          "(what is|what's|what have I) (done|finished|complete|completed|closed) (in|on|of|from) [<mine>] notion {page}",
          '(<look>|list) [<mine>] (done|finished|completed|closed) (<rows>) (in|of|from) [<mine>] notion {page}',
        ],
      },
      plan: step('notion.query_db', { database: '{page}', state: 'complete' }),
    },
    {
      says: {
        en: [
          '(<look>|list|query) [<mine>] notion <base> {page}',
          '(<look>|list|query) [<mine>] {page} <base> <in_notion>',
          "(what is|what's) (in|on) [<mine>] notion <base> {page}",
          '(<look>|list) [all] [<mine>] <rows> (in|of|from) [<mine>] notion <base> {page}',
        ],
      },
      plan: step('notion.query_db', { database: '{page}' }),
    },
    {
      says: { en: ["[<look>|list|what are|what's on] [<mine>] [all] notion {listed}"] },
      plan: step('notion.query_db', { database: '{listed}' }),
    },
    {
      says: {
        en: [
          '[<look>|list|what are|any] [<mine>] (open|unfinished) notion {listed}',
          '(are there|do I have) [any] (open|unfinished) notion {listed}',
        ],
      },
      plan: step('notion.query_db', { database: '{listed}', state: 'open' }),
    },
    {
      says: {
        en: [
          '(find|search for|look for) {what} in [<mine>] notion <base> {page}',
          'search [<mine>] notion <base> {page} for {what}',
        ],
      },
      plan: step('notion.query_db', { database: '{page}', words: '{what}' }),
    },
    ...COMMENTS,
    SETTING_BACK,
    {
      says: {
        en: [
          '<make> [a|new|a new] notion <page> [<that>] {what} (under|below|inside|in) [<mine>] [notion] [<page>|<base>] {page}',
          '<make> [a|new|a new] <page> [<that>] {what} (under|below|inside|in) [<mine>] notion [<page>|<base>] !(under|below|inside) {page}',
          '<make> [a|new|a new] <page> [<that>] {what} (under|below|inside) [<mine>] [<page>|<base>] {page} <in_notion>',
          '<make> [a|new|a new] <page> [<that>] {what} <in_notion> (under|below|inside) [<mine>] [<page>|<base>] {page}',
        ],
      },
      plan: step('notion.create_page', { parent: '{page}', title: '{what}' }),
    },
    {
      says: {
        en: [
          '<make> [a|new|a new] notion <page> [<that>] {what}',
          '<make> (a|new|a new) <page> [<that>] {what} <in_notion>',
          '<make> (a|new|a new) <page> <in_notion> [<that>] {what}',
        ],
      },
      plan: step('notion.create_page', { title: '{what}' }),
    },
    {
      says: {
        en: [
          '<put> (the task|a task|the to-do|a to-do|the todo|a todo) {what} <into> [<mine>] notion [<page>|<base>] {page}',
        ],
      },
      plan: step('notion.append', { page: '{page}', text: '{what}', as: 'to_do' }),
    },
    {
      says: {
        en: [
          '<put> {what} <into> [<mine>] notion [<page>|<base>] {page}',
          '<put> {what} <into> <mine> [<page>|<base>] {page} <in_notion>',
          '<put> {what} <into> <mine> {page} <page> <in_notion>',
        ],
        de: ['(füge|schreib|schreibe|setz|setze) {what} (auf|in|zu) meine notion-seite {page} [hinzu]'],
      },
      plan: step('notion.append', { page: '{page}', text: '{what}' }),
    },
    {
      says: { en: ['<put> <into> [<mine>] notion [<page>|<base>] {headed} {topic}'] },
      plan: step('notion.append', { page: '{headed}', text: '{topic}' }),
    },
    {
      says: { en: ['<put> {what} <into> {link}'] },
      plan: step('notion.append', { page: '{link}', text: '{what}' }),
    },
    {
      says: {
        en: [
          '(where is|where can I find|who can read|who can see|is) [<mine>] notion (<page>|<base>) {page} [public|shared]',
        ],
      },
      plan: step('notion.find_page', { page: '{page}' }),
    },
    {
      says: {
        en: [
          '(mark|set|tick|check) {thing} [off] (as|to) {cell_state}',
          '(mark|set|tick|check) {thing} {cell_state}',
        ],
        de: ['(markier|markiere|setz|setze|stell|stelle) {thing} (als|auf) {cell_state}'],
      },
      shown: SHOWN_ROW,
      plan: cell('{one.id}', { to: '{cell_state}' }),
    },
    {
      says: {
        en: [
          '(set|change|put|update|move) [the|its] {cell} (of|for|on) {thing} to {topic}',
          '(set|change|put|update|move) [the|its] {cell} to {topic}',
        ],
        de: [
          '(setz|setze|stell|stelle|änder|ändere) [den|die|das] {cell} von {thing} auf {topic}',
          '(setz|setze|stell|stelle|änder|ändere) [den|die|das|seinen|seine] {cell} auf {topic}',
        ],
      },
      shown: SHOWN_ROW,
      plan: cell('{one.id}', { column: '{cell}', to: '{topic}' }),
    },
    {
      says: {
        en: ['(set|change|put|update) [the] column {column} (of|for|on) {thing} to {topic}'],
        de: ['(setz|setze|änder|ändere) [die] spalte {column} von {thing} auf {topic}'],
      },
      shown: SHOWN_ROW,
      plan: cell('{one.id}', { column: '{column}', to: '{topic}' }),
    },
    {
      says: {
        en: [
          '(mark|set|tick|check) [the] [row|entry|item|task] {row} (as|to) {cell_state} <in_notion>',
          '(mark|set) [the] notion (row|entry|item|task) {row} (as|to) {cell_state}',
        ],
        de: ['(markier|markiere|setz|setze) [den] [eintrag] {row} in notion (als|auf) {cell_state}'],
      },
      plan: cell('{row}', { to: '{cell_state}' }),
    },
    {
      says: {
        en: [
          '(set|change|put|update|move) [the] {cell} (of|for|on) [the] {row} (row|entry) to {topic}',
          '(set|change|put|update|move) [the] {cell} (of|for|on) [the] {row} <in_notion> to {topic}',
        ],
        de: [
          '(setz|setze|stell|stelle|änder|ändere) [den|die|das] {cell} (vom|von dem) eintrag {row} auf {topic}',
          '(setz|setze|stell|stelle|änder|ändere) [den|die|das] {cell} von {row} in notion auf {topic}',
        ],
      },
      plan: cell('{row}', { column: '{cell}', to: '{topic}' }),
    },
  ],
}
