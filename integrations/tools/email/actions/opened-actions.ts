/** The declared actions that read a mail's files: an attachment, or an invitation. Data only. Called by manifest.ts. */
import type { FieldSpec } from '../../../../kernel/flow/field.ts'
import type { ActionManifest } from '../../../../kernel/tool/manifest.ts'
import { DOCUMENT_KINDS, DOCUMENT_LIMITS, EVENT_FIELDS } from '../../../extractors/document.ts'

/** UTF-16 units of a file name as typed and as shown, and of one part of its text. */
export const OPENED_TEXT = Object.freeze({ typed: 300, name: 200, page: 20_000 })
/** Limits for the files of one mail: number and total bytes that are read, and number that are named. */
export const OPENED_BOUNDS = Object.freeze({ count: 20, bytes: 20_971_520, named: 12 })
/** Number of newest mails among which an invitation is searched. */
export const INVITATION_LOOKED_AT = 25

/** `other`: only its name and size are known (J-13). */
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
          /** Number of pages or slides. */
          length: { kind: 'number', optional: true },
          text: { kind: 'text', max: OPENED_TEXT.page },
          page: { kind: 'number' },
          pages: { kind: 'number' },
          events: { ...EVENTS, optional: true },
          /** Several files match; `text` lists their names. */
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
          /** The invitation is for a single event with a time of day, and is no cancellation. */
          once: { kind: 'boolean', optional: true },
        },
      },
    },
  ]
}
