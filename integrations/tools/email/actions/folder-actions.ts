/**
 * The declared actions for the folders of a mailbox: listing them, creating one, and the look-up for its card. Data only. Called
 * by manifest.ts.
 */
import type { FieldSpec } from '../../../../kernel/flow/field.ts'
import type { ActionManifest } from '../../../../kernel/tool/manifest.ts'

type Common = Omit<ActionManifest, 'id' | 'description' | 'args' | 'output' | 'semantics'>

interface Shared {
  readonly READ: Common & { readonly semantics: 'read' }
  readonly WRITING: Common & { readonly semantics: 'write' }
  readonly ACCOUNT: FieldSpec
  readonly SENSITIVE: string
  /** Uses that a folder can have. */
  readonly FOLDERS: readonly string[]
  /** Maximum UTF-16 units of a name. */
  readonly longest: number
}

/** Maximum number of folders in one answer: a mailbox whose software creates one a day must not fill a prompt. */
export const MOST_FOLDERS = 100

const TERMS = ['folder', 'folders', 'label', 'labels', 'ordner']

/**
 * Names are usually the owner's, but a filter or another program may have derived one from a sender's words, so they stay raw.
 */
export function folderActions({
  READ,
  WRITING,
  ACCOUNT,
  SENSITIVE,
  FOLDERS,
  longest,
}: Shared): readonly ActionManifest[] {
  const name = { kind: 'text', max: longest } as const
  return [
    {
      ...READ,
      id: 'email.folders',
      terms: TERMS,
      description: 'Names of the mail folders or labels.',
      doing: 'searching_mail',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      args: { kind: 'record', fields: { account: ACCOUNT } },
      output: {
        kind: 'record',
        fields: {
          folders: {
            kind: 'list',
            max: MOST_FOLDERS,
            of: {
              kind: 'record',
              fields: {
                name,
                use: { kind: 'enum', values: FOLDERS, optional: true },
                mails: { kind: 'number', optional: true },
                unread: { kind: 'number', optional: true },
              },
            },
          },
          more: { kind: 'boolean' },
        },
      },
    },
    {
      ...WRITING,
      id: 'email.make_folder',
      terms: TERMS,
      description: 'Make a mail folder or label.',
      args: { kind: 'record', fields: { account: ACCOUNT, folder: name } },
      remarks: {
        by: 'email.new_folder',
        given: { account: 'account', folder: 'folder' },
        // The approval applies to this account; another one needs a new approval.
        binds: ['place'],
      },
      output: { kind: 'record', fields: { name } },
      done: 'the folder is there.',
    },
    // Called by the kernel only: without a capability no template can select it.
    {
      ...({ semantics: 'read', ceiling: 'sensitive', compartment: null } as const),
      ...({ reaches: 'sensitive', sink: null } as const),
      id: 'email.new_folder',
      description: 'In which account a folder would be made, and its whole name.',
      doing: 'searching_mail',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      args: { kind: 'record', fields: { account: ACCOUNT, folder: name } },
      output: { kind: 'record', fields: { address: { kind: 'email' }, name, place: { kind: 'id' } } },
    },
  ]
}
