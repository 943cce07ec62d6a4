/**
 * Notion (I-15): search, a page as Markdown, a database by typed columns, and writes whose page is looked up before the approval
 * and again before the write. Ids, dates, numbers and states are structured; whatever somebody wrote is text. Must not contain
 * code. Listed in ../index.ts.
 */
import type { FieldSpec, RecordSpec } from '../../../kernel/flow/field.ts'
import type { ActionManifest, ToolManifest } from '../../../kernel/tool/manifest.ts'
import { TRANSCRIPT_ACTIONS, TRANSCRIPT_TOPICS } from '../../extractors/transcript.ts'
import { commenting } from './commenting.ts'
import { NOTION_CONNECT } from './connect.ts'

export const HOST = 'api.notion.com'

/** Maximum number of found pages and of rows of a database in one answer; and the default number. */
export const MAX_ITEMS = 50
export const DEFAULT_ITEMS = 20
/** Maximum number of columns of a database that are read; one may have hundreds. */
export const MAX_COLUMNS = 25
/** Maximum number of addresses in one cell of a written row. */
export const MAX_PEOPLE = 50
/** Maximum number of options of a column that are named. */
export const MAX_OPTIONS = 30

/** UTF-16 units. Notion accepts 2,000 characters in one text. */
export const NOTION_TEXT = Object.freeze({
  /** The owner's name for a page: its title, link or id. */
  named: 300,
  title: 300,
  place: 300,
  body: 30_000,
  words: 200,
  column: 100,
  option: 100,
  value: 1_000,
  written: 20_000,
})

/** Readers of a page: everyone on the web, or those whom it is shared with in Notion. */
export const VISIBILITIES = Object.freeze(['public', 'workspace'] as const)
export const KINDS = Object.freeze(['page', 'database'] as const)
/** By the group of a status, or by a checkbox; absent if a database has neither. */
export const STATES = Object.freeze(['to_do', 'in_progress', 'complete'] as const)
export const COLUMN_KINDS = Object.freeze([
  ...(['title', 'text', 'number', 'select', 'multi_select', 'status', 'date', 'checkbox'] as const),
  ...(['people', 'link', 'email', 'phone', 'other'] as const),
])

/** Kinds of columns whose cells can be set individually: those with one plain value that the database describes. */
export const CELL_KINDS = Object.freeze(['checkbox', 'select', 'status', 'date', 'number', 'text'] as const)

const NAMED = { kind: 'text', max: NOTION_TEXT.named } as const
const ID = { kind: 'id', max: 40 } as const
const KIND = { kind: 'enum', values: KINDS } as const
const NAME = { kind: 'text', max: NOTION_TEXT.title } as const
const PLACE = { kind: 'text', max: NOTION_TEXT.place, optional: true } as const
const LINK = { kind: 'url', optional: true } as const
const EDITED = { kind: 'date', optional: true } as const
const COUNT = { kind: 'number', optional: true } as const
const MORE = { kind: 'boolean' } as const
/** Notion's opaque cursor for the next page. */
const CURSOR = { kind: 'id', max: 256, optional: true } as const
const PAGES = { field: 'next', argument: 'from' } as const

const HEAD: RecordSpec['fields'] = {
  id: ID,
  kind: KIND,
  name: NAME,
  edited: EDITED,
  link: LINK,
}

const COLUMN: RecordSpec = {
  kind: 'record',
  fields: {
    column: { kind: 'text', max: NOTION_TEXT.column },
    kind: { kind: 'enum', values: COLUMN_KINDS },
    text: { kind: 'text', max: NOTION_TEXT.value, optional: true },
    number: { kind: 'number', optional: true },
    date: { kind: 'date', optional: true },
    until: { kind: 'date', optional: true },
    checked: { kind: 'boolean', optional: true },
  },
}

const COLUMNS = { kind: 'list', max: MAX_COLUMNS, of: COLUMN } as const

const SENSITIVE = 'its result is above what the edge may hold, so it is never asked for from there'

const READ = {
  semantics: 'read',
  capability: 'notes:read',
  ceiling: 'sensitive',
  compartment: null,
  reaches: 'sensitive',
  sink: null,
  offline: { policy: { do: 'refuse' }, why: SENSITIVE },
} as const

const WRITE = {
  semantics: 'write',
  capability: 'notes:write',
  ceiling: 'sensitive',
  compartment: null,
  reaches: 'sensitive',
  sink: 'sink:notion:owner',
  offline: { policy: { do: 'refuse' }, why: 'a write that happens long after it was wanted surprises' },
} as const

/** The page id is part of what is approved, because another page may have the name later. */
function pageIn(argument: string): NonNullable<ActionManifest['target']> {
  return {
    by: 'notion.find_page',
    given: { page: argument },
    field: 'visibility',
    reaches: { public: 'public', workspace: 'sensitive' },
    shows: { name: NAME, place: PLACE, kind: KIND, id: ID },
  }
}

const MADE: RecordSpec = { kind: 'record', fields: { id: ID, link: LINK, within: NAME } }
const WRITTEN: FieldSpec = { kind: 'text', max: NOTION_TEXT.written }

const COLUMN_NAME = { kind: 'text', max: NOTION_TEXT.column } as const
const VALUE = { kind: 'text', max: NOTION_TEXT.value } as const

/** A cell as the owner names it. `exactly`: the value is in the form that a cell returned, and an empty one clears the cell. */
const CELL_ARGS: Readonly<Record<string, FieldSpec>> = {
  row: NAMED,
  column: { ...COLUMN_NAME, optional: true },
  to: VALUE,
  exactly: { kind: 'boolean', optional: true },
}
/** The cell, with its value before and after. `partly`: it holds more than `before` shows, such as a longer text, or links. */
const CELL_FOUND: Readonly<Record<string, FieldSpec>> = {
  cell: COLUMN_NAME,
  as: { kind: 'enum', values: CELL_KINDS },
  before: { ...VALUE, optional: true },
  partly: { kind: 'boolean', optional: true },
  after: VALUE,
}

export const NOTION_MANIFEST = Object.freeze<ToolManifest>({
  name: 'notion',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: [HOST],
  credential: 'notion',
  connect: NOTION_CONNECT,
  actions: [
    {
      ...READ,
      id: 'notion.search',
      description: 'Pages and databases in Notion by words of their title.',
      args: {
        kind: 'record',
        fields: {
          words: { kind: 'text', max: NOTION_TEXT.words },
          kind: { ...KIND, optional: true },
          count: COUNT,
          from: CURSOR,
        },
      },
      pages: PAGES,
      output: {
        kind: 'record',
        fields: {
          pages: { kind: 'list', max: MAX_ITEMS, of: { kind: 'record', fields: HEAD } },
          more: MORE,
          next: CURSOR,
        },
      },
    },
    {
      ...READ,
      id: 'notion.find_page',
      description: 'One page or database of Notion by its title, link or id: where it is, who can read it.',
      args: { kind: 'record', fields: { page: NAMED } },
      output: {
        kind: 'record',
        fields: { ...HEAD, place: PLACE, visibility: { kind: 'enum', values: VISIBILITIES } },
      },
    },
    {
      ...READ,
      id: 'notion.read_page',
      description: 'The text of a Notion page, as Markdown; page: its title, link or id.',
      args: { kind: 'record', fields: { page: NAMED, from: CURSOR } },
      pages: PAGES,
      output: {
        kind: 'record',
        fields: {
          ...HEAD,
          next: CURSOR,
          body: { kind: 'text', max: NOTION_TEXT.body },
          /** Not all of the page was read. */
          truncated: { kind: 'boolean' },
          /** For a page that is a row of a database. */
          columns: COLUMNS,
        },
      },
    },
    {
      ...READ,
      id: 'notion.query_db',
      description: 'Rows of a Notion database; database: its title, link or id; words that a row has; state.',
      args: {
        kind: 'record',
        fields: {
          database: NAMED,
          words: { kind: 'text', max: NOTION_TEXT.words, optional: true },
          state: { kind: 'enum', values: ['open', 'complete'], optional: true },
          count: COUNT,
          from: CURSOR,
        },
      },
      pages: PAGES,
      output: {
        kind: 'record',
        fields: {
          database: NAME,
          schema: {
            kind: 'list',
            max: MAX_COLUMNS,
            of: {
              kind: 'record',
              fields: {
                column: { kind: 'text', max: NOTION_TEXT.column },
                kind: { kind: 'enum', values: COLUMN_KINDS },
                options: {
                  kind: 'list',
                  max: MAX_OPTIONS,
                  of: { kind: 'text', max: NOTION_TEXT.option },
                  optional: true,
                },
              },
            },
          },
          rows: {
            kind: 'list',
            max: MAX_ITEMS,
            of: {
              kind: 'record',
              fields: {
                ...HEAD,
                state: { kind: 'enum', values: STATES, optional: true },
                /** Date of the first date column. */
                due: { kind: 'date', optional: true },
                columns: COLUMNS,
              },
            },
          },
          more: MORE,
          next: CURSOR,
        },
      },
    },
    {
      ...WRITE,
      id: 'notion.create_page',
      description: 'A new Notion page under a page or in a database; parent: its title, link or id.',
      args: {
        kind: 'record',
        fields: {
          /** An integration cannot create pages at the top level, so a page without a parent is refused with an explanation. */
          parent: { ...NAMED, destination: true, optional: true },
          title: { kind: 'text', max: NOTION_TEXT.title },
          text: { ...WRITTEN, optional: true },
        },
      },
      target: pageIn('parent'),
      output: MADE,
      done: 'the page is in Notion.',
    },
    {
      ...WRITE,
      id: 'notion.append',
      description:
        'Add text at the end of a Notion page, or an entry to a database; page: title, link or id.',
      args: {
        kind: 'record',
        fields: {
          page: { ...NAMED, destination: true },
          text: WRITTEN,
          as: { kind: 'enum', values: ['text', 'to_do', 'bullet'], optional: true },
        },
      },
      target: pageIn('page'),
      // Appended as plain text: nothing in it is opened or run.
      adds: { to: 'page', text: 'text', by: 'id', name: 'name' },
      output: MADE,
      done: 'it is in Notion.',
    },
    {
      ...WRITE,
      id: 'notion.add_row',
      description:
        'A row of typed values alone in a Notion database, each in its first column of that kind; database: its link.',
      args: {
        kind: 'record',
        fields: {
          // No text arguments, so that nobody's words can be written.
          database: { kind: 'url', destination: true },
          date: { kind: 'date', optional: true },
          number: { kind: 'number', optional: true },
          people: { kind: 'list', max: MAX_PEOPLE, of: { kind: 'email' }, optional: true },
          /** Values of closed sets, by fixed rules: topics of a conversation, and agreed actions. */
          topics: {
            kind: 'list',
            max: TRANSCRIPT_TOPICS.length,
            of: { kind: 'enum', values: TRANSCRIPT_TOPICS },
            optional: true,
          },
          agreed: {
            kind: 'list',
            max: TRANSCRIPT_ACTIONS.length,
            of: { kind: 'enum', values: TRANSCRIPT_ACTIONS },
            optional: true,
          },
          done: { kind: 'boolean', optional: true },
        },
      },
      target: pageIn('database'),
      output: MADE,
      done: 'the row is in Notion.',
    },
    {
      ...READ,
      id: 'notion.find_cell',
      description: 'One cell of a row of a Notion database: what stands there, and what would.',
      args: { kind: 'record', fields: CELL_ARGS },
      output: {
        kind: 'record',
        fields: { ...HEAD, place: PLACE, visibility: { kind: 'enum', values: VISIBILITIES }, ...CELL_FOUND },
      },
    },
    {
      ...WRITE,
      // The former value is replaced.
      asks: 'always',
      id: 'notion.set_cell',
      description:
        'Set one column of a row in Notion; row: its title, link or id; column: its name; to: done, an option, a day.',
      args: { kind: 'record', fields: { ...CELL_ARGS, row: { ...NAMED, destination: true } } },
      target: {
        by: 'notion.find_cell',
        given: { row: 'row', column: 'column', to: 'to', exactly: 'exactly' },
        field: 'visibility',
        reaches: { public: 'public', workspace: 'sensitive' },
        shows: { name: NAME, place: PLACE, id: ID, ...CELL_FOUND },
      },
      output: {
        kind: 'record',
        fields: {
          id: ID,
          within: NAME,
          cell: COLUMN_NAME,
          after: VALUE,
          before: { ...VALUE, optional: true },
          /** Value for undo, empty for an empty cell; absent if it would not restore everything. */
          was: { ...VALUE, optional: true },
        },
      },
      done: 'it is set in Notion.',
    },
    ...commenting({ READ, CHANGE: WRITE, NAMED, WRITTEN, CURSOR, ID, NAME, HEAD, PAGES, pageIn }),
  ],
})
