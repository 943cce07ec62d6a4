/**
 * The declared actions for leaving a mailing list: reading how a mail says that it can be left, and leaving by mail. Data only.
 * Called by manifest.ts.
 */
import type { FieldSpec, RecordSpec } from '../../../../kernel/flow/field.ts'
import type { ActionManifest } from '../../../../kernel/tool/manifest.ts'
import { WRITTEN_TO } from './enclosed-actions.ts'

type Common = Omit<ActionManifest, 'id' | 'description' | 'args' | 'output' | 'semantics'>

interface Shared {
  readonly READ: Common & { readonly semantics: 'read' }
  readonly SENDING: Common & { readonly semantics: 'write' }
  readonly ACCOUNT: FieldSpec
  readonly ID: FieldSpec
  readonly SUBJECT: FieldSpec & { readonly kind: 'text'; readonly max: number }
  readonly SENT: RecordSpec
  readonly SENSITIVE: string
}

/** Takes what it shares with the other mail actions as arguments. */
export function leavingActions({
  READ,
  SENDING,
  ACCOUNT,
  ID,
  SUBJECT,
  SENT,
  SENSITIVE,
}: Shared): readonly ActionManifest[] {
  return [
    {
      ...READ,
      id: 'email.leaving',
      terms: [
        'unsubscribe',
        'newsletter',
        'mailing',
        'abbestellen',
        'list',
        'off',
        'letters',
        'stop',
        'verteiler',
      ],
      description: 'How the mailing list of a mail can be left, and where, as its sender says.',
      doing: 'reading_message',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      args: { kind: 'record', fields: { account: ACCOUNT, id: ID } },
      output: {
        kind: 'record',
        fields: {
          id: ID,
          leave: { kind: 'enum', values: ['link', 'mail', 'none'] },
          unnamed: { kind: 'boolean' },
          url: { kind: 'url', optional: true },
          address: { kind: 'email', optional: true },
          subject: { ...SUBJECT, optional: true },
        },
      },
    },
    {
      ...SENDING,
      id: 'email.unsubscribe',
      terms: ['unsubscribe', 'newsletter', 'mailing', 'abbestellen'],
      description: 'Leave a mailing list by mail: id, address and subject of email.leaving.',
      asks: 'always',
      args: {
        kind: 'record',
        fields: {
          account: ACCOUNT,
          id: ID,
          to: { kind: 'email', destination: true },
          subject: { ...SUBJECT, optional: true },
        },
      },
      remarks: WRITTEN_TO,
      output: SENT,
      done: 'the list was asked to leave you out.',
    },
  ]
}
