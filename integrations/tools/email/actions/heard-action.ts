/**
 * The declared action that tells whether somebody has answered: mails from them since the owner last wrote to them. Data only.
 * Called by manifest.ts.
 */
import type { FieldSpec, RecordSpec } from '../../../../kernel/flow/field.ts'
import type { ActionManifest } from '../../../../kernel/tool/manifest.ts'

type Common = Omit<ActionManifest, 'id' | 'description' | 'args' | 'output' | 'semantics'>

/** Maximum number of their mails in one answer, and of the owner's mails to them among which the newest is searched. */
export const HEARD = Object.freeze({ most: 5, sent: 10 })

export function heardAction({
  READ,
  ACCOUNT,
  HEAD,
  TEXT,
  SENSITIVE,
}: {
  readonly READ: Common & { readonly semantics: 'read' }
  readonly ACCOUNT: FieldSpec
  readonly HEAD: RecordSpec['fields']
  readonly TEXT: { readonly subject: number; readonly words: number }
  readonly SENSITIVE: string
}): ActionManifest {
  return {
    ...READ,
    id: 'email.heard',
    terms: ['replied', 'answered', 'responded', 'geantwortet', 'zurückgeschrieben'],
    description: 'Whether they answered: their mail since my last to them.',
    doing: 'searching_mail',
    offline: { policy: { do: 'refuse' }, why: SENSITIVE },
    args: { kind: 'record', fields: { account: ACCOUNT, from: { kind: 'text', max: TEXT.words } } },
    output: {
      kind: 'record',
      fields: {
        emails: {
          kind: 'list',
          max: HEARD.most,
          of: { kind: 'record', fields: { ...HEAD, unread: { kind: 'boolean' } } },
        },
        /** When the owner last wrote to them, and the subject; absent: never, by the sent mail. */
        wrote: { kind: 'date', optional: true },
        about: { kind: 'text', max: TEXT.subject, optional: true },
        more: { kind: 'boolean' },
      },
    },
  }
}
