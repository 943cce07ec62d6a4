/** The declared parts of a mail's files that are read: an attachment, and an invitation. Data only. Called by manifest.ts. */
import type { FieldSpec } from '../../../../kernel/flow/field.ts'
import type { ActionManifest } from '../../../../kernel/tool/manifest.ts'
import { DOCUMENT_KINDS, DOCUMENT_LIMITS, EVENT_FIELDS } from '../../../extractors/document.ts'

/** UTF-16 units of a file's name as it is typed and as it is shown, and of a part of its text. */
export const OPENED_TEXT = Object.freeze({ typed: 300, name: 200, page: 20_000 })
/** What one mail may hold to be looked through, and how many of its files are named. Bytes are those of all files. */
export const OPENED_BOUNDS = Object.freeze({ count: 20, bytes: 20_971_520, named: 12 })
/** Newest mails among which an invitation is looked for. */
export const INVITATION_LOOKED_AT = 25

/** `other`: its name and size are all that is known of it (J-13). */
export const OPENED_KINDS = Object.freeze([...DOCUMENT_KINDS, 'text', 'other'] as const)

const NAME = { kind: 'text', max: OPENED_TEXT.name } as const
const EVENTS = {
  ...({ kind: 'list', max: DOCUMENT_LIMITS.events } as const),
  of: { kind: 'record', fields: EVENT_FIELDS } as const,
}

export function openedActions({
  READ,
  ACCOUNT,
  ID,
  SENSITIVE,
}: {
  readonly READ: Pick<
    ActionManifest,
    'semantics' | 'capability' | 'ceiling' | 'compartment' | 'reaches' | 'sink'
  >
  readonly ACCOUNT: FieldSpec
  readonly ID: FieldSpec
  readonly SENSITIVE: string
}): readonly ActionManifest[] {
  const offline = { policy: { do: 'refuse' }, why: SENSITIVE } as const
  return [
    {
      ...READ,
      id: 'email.attachment',
      description:
        'Text of a file attached to a mail (PDF, Word, Excel, text); file: its name, if there are several.',
      doing: 'reading_message',
      offline,
      args: {
        kind: 'record',
        fields: {
          account: ACCOUNT,
          id: ID,
          file: { kind: 'text', max: OPENED_TEXT.typed, optional: true },
          page: { kind: 'number', optional: true },
        },
      },
      output: {
        kind: 'record',
        fields: {
          name: { ...NAME, optional: true },
          kind: { kind: 'enum', values: OPENED_KINDS, optional: true },
          title: { kind: 'text', max: DOCUMENT_LIMITS.title, optional: true },
          /** Pages or slides of the document itself. */
          length: { kind: 'number', optional: true },
          text: { kind: 'text', max: OPENED_TEXT.page },
          page: { kind: 'number' },
          pages: { kind: 'number' },
          events: { ...EVENTS, optional: true },
          /** Several could be meant: `text` lists their names. */
          several: { kind: 'boolean' },
        },
      },
    },
    {
      ...READ,
      id: 'email.invitation',
      description:
        'What an invitation says: when, where, by whom, who else; of a mail by its id, or the newest in the inbox.',
      doing: 'reading_message',
      offline,
      args: { kind: 'record', fields: { account: ACCOUNT, id: { ...ID, optional: true } } },
      output: {
        kind: 'record',
        fields: {
          ...{ id: ID, subject: { kind: 'text', max: OPENED_TEXT.name }, events: EVENTS },
          /** It is of one event that comes once at a time of day, and does not call it off. */
          once: { kind: 'boolean', optional: true },
        },
      },
    },
  ]
}
