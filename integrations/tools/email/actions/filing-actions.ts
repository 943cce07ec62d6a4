/**
 * The declared actions that move or mark mails, and the look-up of those mails for their cards. Data only. Called by manifest.ts.
 */
import type { FieldSpec, RecordSpec } from '../../../../kernel/flow/field.ts'
import type { ActionManifest, RemarksLookup } from '../../../../kernel/tool/manifest.ts'

type Common = Omit<ActionManifest, 'id' | 'description' | 'args' | 'output' | 'semantics'>

interface Shared {
  readonly FILING: Common & { readonly semantics: 'write' }
  readonly ACCOUNT: FieldSpec
  readonly IDS: FieldSpec
  readonly MOVED: RecordSpec
  readonly MARKS: readonly string[]
  /** Maximum number of mails of one look-up. */
  readonly most: number
  readonly longest: { readonly name: number; readonly subject: number; readonly folder: number }
  readonly SENSITIVE: string
}

/** For mails that a plan knows by id only, the card would otherwise show nothing that the owner could judge. */
const WHICH: RemarksLookup = { by: 'email.which', given: { account: 'account', ids: 'ids' } }

export function filingActions(shared: Shared): readonly ActionManifest[] {
  const { FILING: common, ACCOUNT, IDS, MOVED, MARKS, most, longest, SENSITIVE } = shared
  const FILING = { ...common, output: MOVED, remarks: WHICH }
  const args = (more: RecordSpec['fields'] = {}): RecordSpec => ({
    kind: 'record',
    fields: { account: ACCOUNT, ids: IDS, ...more },
  })
  return [
    {
      ...FILING,
      id: 'email.archive',
      description: 'Archive mails.',
      terms: ['put', 'away', 'issue', 'inbox', 'clear', 'weg', 'wegräumen', 'archivier'],
      asks: 'taint',
      args: args(),
      done: 'the mails are archived.',
    },
    {
      ...FILING,
      id: 'email.move',
      description: 'Move mails; to inbox takes archive, spam and delete back.',
      asks: 'taint',
      args: args({ to: { kind: 'enum', values: ['inbox', 'archive'] } }),
      done: 'the mails are moved.',
    },
    {
      ...FILING,
      id: 'email.file',
      terms: ['folder', 'label', 'ordner'],
      description: 'Put mails into a folder, or under a label, that the owner named.',
      asks: 'taint',
      args: args({ folder: { kind: 'text', max: longest.folder } }),
      remarks: { ...WHICH, given: { ...WHICH.given, folder: 'folder' } },
      done: 'the mails are in that folder.',
    },
    {
      ...FILING,
      id: 'email.mark',
      description: 'Mark mails.',
      asks: 'taint',
      args: args({ as: { kind: 'enum', values: MARKS } }),
      done: 'the mails are marked.',
    },
    {
      ...FILING,
      id: 'email.spam',
      description: 'Put mails among the spam.',
      args: args(),
      done: 'the mails are among the spam.',
    },
    {
      ...FILING,
      id: 'email.delete',
      description: 'Put mails into the trash.',
      args: args(),
      done: 'the mails are in the trash.',
    },
    {
      // Called by the kernel only, so no template selects it.
      ...({ semantics: 'read', ceiling: 'sensitive', compartment: null } as const),
      ...({ reaches: 'sensitive', sink: null } as const),
      id: 'email.which',
      description: 'Who sent these mails, and what about.',
      doing: 'searching_mail',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      // A missing folder is reported before the owner is asked.
      args: args({ folder: { kind: 'text', max: longest.folder, optional: true } }),
      output: {
        kind: 'record',
        fields: {
          /** Empty if there are more than one look-up covers; the card then shows the rows of the list. */
          mails: {
            kind: 'list',
            max: most,
            of: {
              kind: 'record',
              fields: {
                fromName: { kind: 'text', max: longest.name },
                from: { kind: 'email', optional: true },
                /** Recipient of one of the owner's own mails. */
                to: { kind: 'email', optional: true },
                subject: { kind: 'text', max: longest.subject },
                date: { kind: 'date' },
              },
            },
          },
        },
      },
    },
  ]
}
