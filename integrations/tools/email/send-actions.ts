/** The declared actions for a new mail: sent at once, or at a time, when the kernel makes the first one of it. Data only. Called by manifest.ts. */
import type { FieldSpec, RecordSpec } from '../../../kernel/flow/field.ts'
import type { ActionManifest } from '../../../kernel/tool/manifest.ts'
import { ENCLOSES, FROM, OWN_FILES } from './enclosed-actions.ts'

type Common = Omit<ActionManifest, 'id' | 'description' | 'args' | 'output' | 'semantics'>

interface Shared {
  readonly SENDING: Common & { readonly semantics: 'write' }
  readonly ACCOUNT: FieldSpec
  readonly RECIPIENTS: FieldSpec
  readonly SUBJECT: FieldSpec
  readonly WRITTEN: FieldSpec
  readonly SENT: RecordSpec
}

export function sendActions({
  SENDING,
  ACCOUNT,
  RECIPIENTS,
  SUBJECT,
  WRITTEN,
  SENT,
}: Shared): readonly ActionManifest[] {
  const fields: RecordSpec['fields'] = {
    account: ACCOUNT,
    to: RECIPIENTS,
    cc: { ...RECIPIENTS, optional: true },
    bcc: { ...RECIPIENTS, optional: true },
    subject: SUBJECT,
    body: WRITTEN,
    from: FROM,
    files: OWN_FILES,
  }
  return [
    {
      ...SENDING,
      id: 'email.send',
      core: 'room',
      description: 'Send a new mail.',
      asks: 'always',
      args: { kind: 'record', fields },
      remarks: ENCLOSES,
      output: SENT,
      done: 'the mail is sent.',
    },
    {
      ...SENDING,
      id: 'email.send_later',
      terms: ['later', 'schedule', 'scheduled', 'tomorrow', 'monday', 'später', 'morgen'],
      description: 'Send a new mail at a later time; at: when.',
      asks: 'always',
      args: { kind: 'record', fields: { at: { kind: 'date' }, ...fields } },
      remarks: ENCLOSES,
      later: { runs: 'email.send', at: 'at', says: 'goes' },
      output: { kind: 'record', fields: { goes: { kind: 'date' } } },
      done: 'the mail waits for its time.',
    },
  ]
}
