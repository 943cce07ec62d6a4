/**
 * Files of the folders that the owner named: listing, searching, reading, and writing after an approval. Names and contents are
 * anybody's words, so both are text; sizes, dates, kinds and versions are structured. Must not contain code. Listed in
 * ../index.ts.
 */
import type { FieldSpec, RecordSpec } from '../../../kernel/flow/field.ts'
import type { ActionManifest, ToolManifest } from '../../../kernel/tool/manifest.ts'
import { DOCUMENT_KINDS, DOCUMENT_LIMITS, EVENT_FIELDS } from '../../extractors/document.ts'
import { relocations } from './relocations.ts'

/** Maximum and default number of files in one answer. */
export const MAX_FILES = 50
export const DEFAULT_FILES = 20
/** Maximum number of files whose texts are returned together. */
export const MAX_GATHERED = 5

/** UTF-16 units. */
export const FILE_TEXT = Object.freeze({
  ...{ path: 1_000, typed: 300, words: 200, excerpt: 300 },
  /** Text of one file per page; and of each of several files. */
  ...{ page: 20_000, gathered: 4_000 },
  /** Text that is written: as much as a person can read on a card. */
  written: 20_000,
})

export const FILE_KINDS = Object.freeze(['text', 'markdown', 'table', 'page', 'pdf', 'other'] as const)
export const FILE_STATES = Object.freeze(['new', 'present'] as const)

const PATH = { kind: 'text', max: FILE_TEXT.path } as const
const COUNT = { kind: 'number', optional: true } as const
/** SHA-256 in hex, or `new`. */
const VERSION = { kind: 'id', max: 64 } as const
/** Name of a copy and its version, or `new`. */
const UNDO = { kind: 'id', max: 100 } as const
const TYPED = { kind: 'text', max: FILE_TEXT.typed } as const
const WORDS = { kind: 'text', max: FILE_TEXT.words } as const

const HEAD: RecordSpec['fields'] = {
  path: PATH,
  kind: { kind: 'enum', values: FILE_KINDS },
  /** Kind of a document that is read in a separate process: by its name in a list, by its bytes when it is read. */
  format: { kind: 'enum', values: DOCUMENT_KINDS, optional: true },
  size: { kind: 'number' },
  changed: { kind: 'date', optional: true },
}

/** `partial`: some files were not examined, because of a bound or because they could not be read. */
const BOUNDS: Readonly<Record<string, FieldSpec>> = {
  more: { kind: 'boolean' },
  partial: { kind: 'boolean' },
}

const SENSITIVE = 'its result is above what the edge may hold, so it is never asked for from there'

const READ = {
  ...({ semantics: 'read', capability: 'files:read', ceiling: 'sensitive', compartment: null } as const),
  ...({ reaches: 'sensitive', sink: null } as const),
  offline: { policy: { do: 'refuse' }, why: SENSITIVE } as const,
}

/** The former content is replaced, so each change needs an approval. */
const CHANGE = {
  ...({ semantics: 'write', capability: 'files:write', ceiling: 'sensitive', compartment: null } as const),
  ...({ reaches: 'sensitive', sink: 'sink:files:owner', asks: 'always' } as const),
  offline: {
    policy: { do: 'refuse' },
    why: 'a write that happens long after it was wanted surprises',
  } as const,
}

const WRITE = {
  ...CHANGE,
  target: {
    by: 'files.find',
    given: { file: 'path' },
    field: 'state',
    reaches: { new: 'sensitive', present: 'sensitive' },
  } as const,
}

function written(what: string): Pick<ActionManifest, 'args' | 'output'> {
  return {
    args: {
      kind: 'record',
      fields: { path: PATH, [what]: { kind: 'text', max: FILE_TEXT.written }, version: VERSION },
    },
    output: {
      kind: 'record',
      fields: {
        ...{ path: PATH, size: { kind: 'number' }, version: VERSION },
        /** Whether the change can be undone, and by what: a copy and its version, or that the file is new. */
        ...{ kept: { kind: 'boolean' }, undo: { ...UNDO, optional: true } },
      },
    },
  }
}

export const FILES_MANIFEST = Object.freeze<ToolManifest>({
  name: 'files',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: [],
  credential: null,
  actions: [
    {
      ...READ,
      id: 'files.list',
      description: "Files of the owner's folders, newest first, or by name; folder: a folder among them.",
      args: {
        kind: 'record',
        fields: {
          folder: { ...TYPED, optional: true },
          order: { kind: 'enum', values: ['newest', 'name'], optional: true },
          count: COUNT,
        },
      },
      output: {
        kind: 'record',
        fields: {
          files: { kind: 'list', max: MAX_FILES, of: { kind: 'record', fields: HEAD } },
          total: { kind: 'number' },
          ...BOUNDS,
        },
      },
    },
    {
      ...READ,
      id: 'files.search',
      description: "Files of the owner's folders with all of these words in name or text, best first.",
      args: { kind: 'record', fields: { words: WORDS, count: COUNT } },
      output: {
        kind: 'record',
        fields: {
          files: {
            kind: 'list',
            max: MAX_FILES,
            of: {
              kind: 'record',
              fields: {
                ...HEAD,
                line: { kind: 'number', optional: true },
                excerpt: { kind: 'text', max: FILE_TEXT.excerpt, optional: true },
              },
            },
          },
          ...BOUNDS,
        },
      },
    },
    {
      ...READ,
      id: 'files.read',
      description:
        'Text of one file (also PDF, Word, Excel, calendar), by name or path, or the only one of a format; page: which part.',
      args: {
        kind: 'record',
        fields: {
          file: { ...PATH, optional: true },
          format: { kind: 'enum', values: DOCUMENT_KINDS, optional: true },
          page: { kind: 'number', optional: true },
          /** Part that was read before, in plans of earlier versions. */
          after: { kind: 'number', optional: true },
        },
      },
      pages: { field: 'next', argument: 'page' },
      output: {
        kind: 'record',
        fields: {
          path: { ...PATH, optional: true },
          kind: { kind: 'enum', values: FILE_KINDS, optional: true },
          format: { kind: 'enum', values: DOCUMENT_KINDS, optional: true },
          changed: { kind: 'date', optional: true },
          /** Title stated in the document, and its number of pages or slides. */
          title: { kind: 'text', max: DOCUMENT_LIMITS.title, optional: true },
          length: { kind: 'number', optional: true },
          /** Events of a calendar file. */
          events: {
            kind: 'list',
            max: DOCUMENT_LIMITS.events,
            of: { kind: 'record', fields: EVENT_FIELDS },
            optional: true,
          },
          text: { kind: 'text', max: FILE_TEXT.page },
          page: { kind: 'number' },
          pages: { kind: 'number' },
          next: { kind: 'number', optional: true },
          /** The name matches several files; `text` lists them. */
          several: { kind: 'boolean' },
        },
      },
    },
    {
      ...READ,
      id: 'files.gather',
      description: "Texts of the owner's few files that are most about something, such as notes on a topic.",
      args: { kind: 'record', fields: { words: WORDS } },
      output: {
        kind: 'record',
        fields: {
          files: {
            kind: 'list',
            max: MAX_GATHERED,
            of: {
              kind: 'record',
              fields: {
                path: PATH,
                changed: { kind: 'date', optional: true },
                text: { kind: 'text', max: FILE_TEXT.gathered },
                truncated: { kind: 'boolean' },
              },
            },
          },
          ...BOUNDS,
        },
      },
    },
    {
      ...READ,
      id: 'files.find',
      description:
        'Where a file lies that shall be written, or would: its path, and the version that is there.',
      args: { kind: 'record', fields: { file: PATH } },
      output: {
        kind: 'record',
        fields: {
          path: PATH,
          state: { kind: 'enum', values: FILE_STATES },
          version: VERSION,
          size: { kind: 'number' },
          changed: { kind: 'date', optional: true },
        },
      },
    },
    {
      ...WRITE,
      ...written('text'),
      id: 'files.write',
      worded: 'text',
      description: 'Write a whole text file, new or in place of the old; path and version: of files.find.',
      done: 'the file is written.',
    },
    {
      ...WRITE,
      ...written('line'),
      id: 'files.append',
      worded: 'line',
      description: 'Add lines at the end of a text file, such as a list; path and version: of files.find.',
      done: 'it stands in the file.',
    },
    {
      ...CHANGE,
      target: WRITE.target,
      id: 'files.take_back',
      description:
        'Take back the last write to a file; path, version and undo: of files.write or files.append.',
      args: { kind: 'record', fields: { path: PATH, version: VERSION, undo: UNDO } },
      // `gone`: the file was new, so it is put away.
      output: { kind: 'record', fields: { path: PATH, gone: { kind: 'boolean' } } },
      done: 'the file is as it was before.',
    },
    ...relocations({ READ, CHANGE, PATH, VERSION }),
  ],
})
