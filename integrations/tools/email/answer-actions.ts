/** The declared actions for an answer and for a mail that is sent on: at once, or at a time, when the kernel makes the first one of it. Data only. Called by manifest.ts. */
import type { FieldSpec, RecordSpec } from '../../../kernel/flow/field.ts'
import type { ActionManifest } from '../../../kernel/tool/manifest.ts'
import { ATTACHMENTS, ENCLOSES_ALL, enclosesAnswer, FROM, OWN_FILES } from './enclosed-actions.ts'

type Common = Omit<ActionManifest, 'id' | 'description' | 'args' | 'output' | 'semantics'>

interface Shared {
  readonly SENDING: Common & { readonly semantics: 'write' }
  readonly ACCOUNT: FieldSpec
  readonly ID: FieldSpec
  readonly RECIPIENTS: FieldSpec
  readonly SUBJECT: FieldSpec
  readonly WRITTEN: FieldSpec
  readonly BODY: FieldSpec
  readonly SENT: RecordSpec
}

const AT = { at: { kind: 'date' } } as const
const GOES = {
  asks: 'always',
  output: { kind: 'record', fields: { goes: { kind: 'date' } } },
  done: 'the mail waits for its time.',
} as const
const TERMS = ['later', 'schedule', 'tomorrow', 'monday', 'später', 'morgen']

export function answerActions(shared: Shared): readonly ActionManifest[] {
  const { SENDING, ACCOUNT, ID, RECIPIENTS, SUBJECT, WRITTEN, BODY, SENT } = shared
  const reply: RecordSpec['fields'] = {
    account: ACCOUNT,
    to: { kind: 'email', destination: true },
    also: { ...RECIPIENTS, optional: true },
    replyTo: { kind: 'email', optional: true },
    id: ID,
    subject: SUBJECT,
    body: WRITTEN,
    quoted: { ...BODY, optional: true },
    from: FROM,
    files: OWN_FILES,
  }
  const forward: RecordSpec['fields'] = {
    account: ACCOUNT,
    to: RECIPIENTS,
    id: ID,
    subject: SUBJECT,
    note: { ...WRITTEN, optional: true },
    text: BODY,
    attachments: ATTACHMENTS,
    from: FROM,
    files: OWN_FILES,
  }
  return [
    {
      ...SENDING,
      id: 'email.reply',
      core: true,
      description: 'Answer a mail: to, replyTo, subject are its from, replyTo, subject; also: its others.',
      asks: 'always',
      args: { kind: 'record', fields: reply },
      remarks: enclosesAnswer('id'),
      output: SENT,
      done: 'the reply is sent.',
    },
    {
      ...{ ...SENDING, ...GOES },
      id: 'email.reply_later',
      terms: TERMS,
      description: 'Answer a mail at a later time, as email.reply does; at: when.',
      args: { kind: 'record', fields: { ...AT, ...reply } },
      remarks: enclosesAnswer('id'),
      later: { runs: 'email.reply', at: 'at', says: 'goes' },
    },
    {
      ...SENDING,
      id: 'email.forward',
      description: 'Send a mail on with its attachments: subject and text are its subject and body.',
      asks: 'always',
      args: { kind: 'record', fields: forward },
      remarks: ENCLOSES_ALL,
      output: SENT,
      done: 'the mail is forwarded.',
    },
    {
      ...{ ...SENDING, ...GOES },
      id: 'email.forward_later',
      terms: TERMS,
      description: 'Send a mail on at a later time, as email.forward does; at: when.',
      args: { kind: 'record', fields: { ...AT, ...forward } },
      remarks: ENCLOSES_ALL,
      later: { runs: 'email.forward', at: 'at', says: 'goes' },
    },
  ]
}
