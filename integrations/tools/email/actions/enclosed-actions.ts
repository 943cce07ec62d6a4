/**
 * The declared parts of a mail besides its text: sender and files, the arguments for them, the look-up for the card, and the size
 * limits. Data only. Called by manifest.ts.
 */
import type { FieldSpec } from '../../../../kernel/flow/field.ts'
import type { ActionManifest, RemarksLookup } from '../../../../kernel/tool/manifest.ts'

/** Limits that most servers accept, and that can be sent and filed within one call. Bytes of the files before encoding. */
export const MOST_ENCLOSED = Object.freeze({ count: 10, bytes: 8_388_608 })

/** UTF-16 units of a file name as typed, and of one line about a file on a card. */
const FILE_TEXT = { typed: 300, line: 290 } as const
/** UTF-16 units of the line that names the mail that the files come from. */
export const SOURCE_TEXT = 290
/** UTF-16 units of a name with an address. */
const FROM_TEXT = 400
/** UTF-16 units of a signature: the longest that the owner can set. */
const SIGNATURE_TEXT = 1_000

/** Files of the owner's folders, by name or path; the text is never opened as a path. */
export const OWN_FILES = {
  ...({ kind: 'list', max: MOST_ENCLOSED.count, optional: true } as const),
  of: { kind: 'text', max: FILE_TEXT.typed },
} as const satisfies FieldSpec

/** The mail whose attachments `files` names; without `files`, all of its attachments. */
export const FILES_FROM = { kind: 'id', optional: true } as const satisfies FieldSpec

/** Whether the attachments of a forwarded mail are included; absent: all. */
export const ATTACHMENTS = { kind: 'enum', values: ['all', 'none'], optional: true } as const

/** For a forwarded mail: the only files to include, or the files to leave out, by words of their names or kinds. */
export const CHOSEN_FILES = { only: OWN_FILES, without: OWN_FILES } as const

/** Sender address; absent: the one that the answered mail was sent to, or the usual one. */
export const FROM = { kind: 'email', optional: true } as const satisfies FieldSpec

/**
 * Sender, signature and files are looked up before the approval and again for sending: their version is part of what is approved.
 */
export const ENCLOSES: RemarksLookup = {
  by: 'email.enclosed',
  given: { account: 'account', from: 'from', files: 'files', filesFrom: 'filesFrom' },
  always: true,
  binds: ['version'],
}
/** `id`: the write's argument with the id of the answered mail. */
export const enclosesAnswer = (id: 'id' | 'answers'): RemarksLookup => ({
  ...ENCLOSES,
  given: { ...ENCLOSES.given, answers: id },
})
/** The sender address for leaving a list is the one that the mail was sent to. Nothing else is included. */
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

/** Called by the kernel only, so no template selects it. */
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
