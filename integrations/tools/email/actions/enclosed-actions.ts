/** The declared parts of mails besides their text, the sender and the files: the argument that names them, the look at them, and what one mail carries at most. Data only. Called by manifest.ts. */
import type { FieldSpec } from '../../../../kernel/flow/field.ts'
import type { ActionManifest, RemarksLookup } from '../../../../kernel/tool/manifest.ts'

/** What most servers take, and what is sent and filed within the time of one call. Bytes are those of the files, not as encoded. */
export const MOST_ENCLOSED = Object.freeze({ count: 10, bytes: 8_388_608 })

/** UTF-16 units of a file's name as the owner types it, and of one line about a file on a card. */
const FILE_TEXT = { typed: 300, line: 290 } as const
/** Of whose mail they are, and what it is about. */
export const SOURCE_TEXT = 290
/** UTF-16 units of a name with an address. */
const FROM_TEXT = 400
/** Of a signature: as much as the owner can set. */
const SIGNATURE_TEXT = 1_000

/** Files of the owner's folders, by name or path; nothing that is typed here is opened as a path. */
export const OWN_FILES = {
  ...({ kind: 'list', max: MOST_ENCLOSED.count, optional: true } as const),
  of: { kind: 'text', max: FILE_TEXT.typed },
} as const satisfies FieldSpec

/** Of the mail whose attachments `files` names instead, or, where it names none, of which all go along. */
export const FILES_FROM = { kind: 'id', optional: true } as const satisfies FieldSpec

/** Whether the files of a mail that is sent on go along; absent: all. */
export const ATTACHMENTS = { kind: 'enum', values: ['all', 'none'], optional: true } as const

/** Of a mail that is sent on: the files that go along and no others, or those that stay behind, by words of their names or their kind. */
export const CHOSEN_FILES = { only: OWN_FILES, without: OWN_FILES } as const

/** As whom a mail goes out; absent: as the mail that it answers was written to, or as usual. */
export const FROM = { kind: 'email', optional: true } as const satisfies FieldSpec

/** As whom it goes, the signature and the files are looked at before the owner is asked, and again: which ones they are is part of what is approved. */
export const ENCLOSES: RemarksLookup = {
  by: 'email.enclosed',
  given: { account: 'account', from: 'from', files: 'files', filesFrom: 'filesFrom' },
  always: true,
  binds: ['version'],
}
/** `id`: of the mail that is answered, by the name that the write has for it. */
export const enclosesAnswer = (id: 'id' | 'answers'): RemarksLookup => ({
  ...ENCLOSES,
  given: { ...ENCLOSES.given, answers: id },
})
/** As whom a list is left: as the mail was written to. Nothing else goes with it. */
export const WRITTEN_TO: RemarksLookup = {
  ...ENCLOSES,
  given: { account: 'account', answers: 'id' },
}
export const ENCLOSES_ALL: RemarksLookup = {
  ...ENCLOSES,
  given: {
    ...{ account: 'account', from: 'from', files: 'files', id: 'id', attachments: 'attachments' },
    ...{ only: 'only', without: 'without' },
  },
}

/** Only the kernel looks them up, so no template selects it. */
export function enclosedAction({
  ACCOUNT,
  ID,
  SENSITIVE,
}: {
  readonly ACCOUNT: FieldSpec
  readonly ID: FieldSpec
  readonly SENSITIVE: string
}): ActionManifest {
  return {
    ...({ semantics: 'read', ceiling: 'sensitive', compartment: null } as const),
    ...({ reaches: 'sensitive', sink: null } as const),
    id: 'email.enclosed',
    description: 'As whom a mail would go, its signature and attachments; id: of a mail to forward.',
    doing: 'reading_message',
    offline: { policy: { do: 'refuse' }, why: SENSITIVE },
    args: {
      kind: 'record',
      fields: {
        account: ACCOUNT,
        id: { ...ID, optional: true },
        answers: { ...ID, optional: true },
        attachments: ATTACHMENTS,
        ...CHOSEN_FILES,
        from: FROM,
        files: OWN_FILES,
        filesFrom: FILES_FROM,
      },
    },
    output: {
      kind: 'record',
      fields: {
        from: { kind: 'text', max: FROM_TEXT, optional: true },
        signature: { kind: 'text', max: SIGNATURE_TEXT, optional: true },
        files: {
          kind: 'list',
          max: MOST_ENCLOSED.count,
          of: { kind: 'record', fields: { file: { kind: 'text', max: FILE_TEXT.line } } },
        },
        source: { kind: 'text', max: SOURCE_TEXT, optional: true },
        version: { ...ID, optional: true },
      },
    },
  }
}
