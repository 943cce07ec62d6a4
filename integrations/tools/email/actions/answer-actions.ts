/**
 * The declared actions for replying to and forwarding a mail: at once, or at a given time, at which the kernel runs the first
 * kind. Data only. Called by manifest.ts.
 */
import type { FieldSpec, RecordSpec } from '../../../../kernel/flow/field.ts'
import type { ActionManifest } from '../../../../kernel/tool/manifest.ts'
import {
  ATTACHMENTS,
  CHOSEN_FILES,
  ENCLOSES_ALL,
  enclosesAnswer,
  FILES_FROM,
  FROM,
  OWN_FILES,
} from './enclosed-actions.ts'
import { AT, LATER, type Sending } from './send-actions.ts'

interface Shared extends Sending {
  readonly ID: FieldSpec
  readonly BODY: FieldSpec
}

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
    filesFrom: FILES_FROM,
  }
  const forward: RecordSpec['fields'] = {
    account: ACCOUNT,
    to: RECIPIENTS,
    id: ID,
    subject: SUBJECT,
    note: { ...WRITTEN, optional: true },
    text: BODY,
    attachments: ATTACHMENTS,
    ...CHOSEN_FILES,
    from: FROM,
    files: OWN_FILES,
  }
  return [
    {
      ...SENDING,
      id: 'email.reply',
      worded: 'body',
      core: 'room',
      description: 'Answer a mail: to, replyTo, subject are its from, replyTo, subject; also: its others.',
      asks: 'always',
      args: { kind: 'record', fields: reply },
      remarks: enclosesAnswer('id'),
      output: SENT,
      done: 'the reply is sent.',
    },
    {
      ...{ ...SENDING, ...LATER },
      id: 'email.reply_later',
      worded: 'body',
      description: 'Answer a mail at a later time, as email.reply does; at: when.',
      args: { kind: 'record', fields: { ...AT, ...reply } },
      remarks: enclosesAnswer('id'),
      later: { runs: 'email.reply', at: 'at', says: 'goes' },
    },
    {
      ...SENDING,
      id: 'email.forward',
      worded: 'note',
      description: 'Send a mail on with its attachments: subject and text are its subject and body.',
      asks: 'always',
      args: { kind: 'record', fields: forward },
      remarks: ENCLOSES_ALL,
      output: SENT,
      done: 'the mail is forwarded.',
    },
    {
      ...{ ...SENDING, ...LATER },
      id: 'email.forward_later',
      worded: 'note',
      description: 'Send a mail on at a later time, as email.forward does; at: when.',
      args: { kind: 'record', fields: { ...AT, ...forward } },
      remarks: ENCLOSES_ALL,
      later: { runs: 'email.forward', at: 'at', says: 'goes' },
    },
  ]
}
