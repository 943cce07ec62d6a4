/**
 * The declared actions for a new mail: sent at once, or at a given time, at which the kernel runs the first kind. Data only.
 * Called by manifest.ts.
 */
import type { FieldSpec, RecordSpec } from '../../../../kernel/flow/field.ts'
import type { ActionManifest } from '../../../../kernel/tool/manifest.ts'
import { ENCLOSES, FILES_FROM, FROM, OWN_FILES } from './enclosed-actions.ts'

type Common = Omit<ActionManifest, 'id' | 'description' | 'args' | 'output' | 'semantics'>

export interface Sending {
  readonly SENDING: Common & { readonly semantics: 'write' }
  readonly ACCOUNT: FieldSpec
  readonly RECIPIENTS: FieldSpec
  readonly SUBJECT: FieldSpec
  readonly WRITTEN: FieldSpec
  readonly SENT: RecordSpec
}

/** Additional argument of an action that is executed at a given time. */
export const AT = { at: { kind: 'date' } } as const
export const LATER = {
  asks: 'always',
  terms: ['later', 'schedule', 'scheduled', 'tomorrow', 'monday', 'später', 'morgen'],
  output: { kind: 'record', fields: { goes: { kind: 'date' } } },
  done: 'the mail waits for its time.',
} as const

export function sendActions({
  SENDING,
  ACCOUNT,
  RECIPIENTS,
  SUBJECT,
  WRITTEN,
  SENT,
}: Sending): readonly ActionManifest[] {
  const fields: RecordSpec['fields'] = {
    account: ACCOUNT,
    to: RECIPIENTS,
    cc: { ...RECIPIENTS, optional: true },
    bcc: { ...RECIPIENTS, optional: true },
    subject: SUBJECT,
    body: WRITTEN,
    from: FROM,
    files: OWN_FILES,
    filesFrom: FILES_FROM,
  }
  return [
    {
      ...SENDING,
      id: 'email.send',
      worded: 'body',
      core: true,
      description: 'Send a new mail.',
      asks: 'always',
      args: { kind: 'record', fields },
      remarks: ENCLOSES,
      output: SENT,
      done: 'the mail is sent.',
    },
    {
      ...SENDING,
      ...LATER,
      id: 'email.send_later',
      worded: 'body',
      description: 'Send a new mail at a later time; at: when.',
      args: { kind: 'record', fields: { ...AT, ...fields } },
      remarks: ENCLOSES,
      later: { runs: 'email.send', at: 'at', says: 'goes' },
    },
  ]
}
