/**
 * Gmail, read only (I-11, I-12): arguments and output of its actions, field by field, with levels. Must not contain code.
 * Called by both places' registries and by run.ts.
 */
import type { RecordSpec } from '../../../kernel/flow/field.ts'
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'
import { GOOGLE_CONNECT } from '../google-connect.ts'

/** Maximum mails in one answer. */
export const MAX_EMAILS = 25
/** Mails when the request names no number. */
export const DEFAULT_EMAILS = 10
/** Maximum UTF-16 units of a name, a subject line, a preview and a body. */
export const EMAIL_TEXT = Object.freeze({ name: 200, subject: 300, snippet: 400, body: 40_000 })
export const MAX_LINKS = 30
export const MAX_RECIPIENTS = 50
export const MAX_DATES = 20

/** What a mail asks its reader to do, as a closed set (J-04). */
export const EMAIL_REQUESTS = Object.freeze([
  'reply',
  'meeting',
  'payment',
  'signature',
  'confirmation',
  'deadline',
] as const)

export type EmailRequest = (typeof EMAIL_REQUESTS)[number]

const ACCOUNT = { kind: 'id', max: 100, optional: true, scope: true } as const

const HEAD: RecordSpec['fields'] = {
  id: { kind: 'id' },
  /** Absent unless there is exactly one From header with one mailbox. The sender may have typed anything. */
  from: { kind: 'email', optional: true },
  /** True if `from` is absent, so that the reader of the other fields knows. */
  senderUnclear: { kind: 'boolean', optional: true },
  fromName: { kind: 'text', max: EMAIL_TEXT.name },
  subject: { kind: 'text', max: EMAIL_TEXT.subject },
  date: { kind: 'date' },
  hasAttachments: { kind: 'boolean' },
}

const SENSITIVE = 'its result is above what the edge may hold, so it is never asked for from there'

export const EMAIL_MANIFEST = Object.freeze<ToolManifest>({
  name: 'email',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: ['gmail.googleapis.com'],
  credential: 'google',
  connect: GOOGLE_CONNECT,
  actions: [
    {
      id: 'email.list',
      description: 'Newest mails of the inbox: sender, subject, date, unread. Not the bodies.',
      capability: 'mail:read',
      doing: 'searching_mail',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      semantics: 'read',
      args: {
        kind: 'record',
        fields: {
          account: ACCOUNT,
          unread: { kind: 'boolean', optional: true },
          count: { kind: 'number', optional: true },
        },
      },
      output: {
        kind: 'record',
        fields: {
          emails: {
            kind: 'list',
            max: MAX_EMAILS,
            of: {
              kind: 'record',
              fields: {
                ...HEAD,
                unread: { kind: 'boolean' },
                snippet: { kind: 'text', max: EMAIL_TEXT.snippet },
              },
            },
          },
          more: { kind: 'boolean' },
        },
      },
      ceiling: 'sensitive',
      compartment: null,
      reaches: 'sensitive',
      sink: null,
    },
    {
      id: 'email.read',
      description: 'One mail by its id: sender, recipients, subject, date, body, links.',
      capability: 'mail:read',
      doing: 'reading_message',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      semantics: 'read',
      args: { kind: 'record', fields: { account: ACCOUNT, id: { kind: 'id', max: 128 } } },
      output: {
        kind: 'record',
        fields: {
          ...HEAD,
          to: { kind: 'list', max: MAX_RECIPIENTS, of: { kind: 'email' } },
          body: { kind: 'text', max: EMAIL_TEXT.body },
          truncated: { kind: 'boolean' },
          links: { kind: 'list', max: MAX_LINKS, of: { kind: 'url' } },
          dates: { kind: 'list', max: MAX_DATES, of: { kind: 'date' } },
          requests: {
            kind: 'list',
            max: EMAIL_REQUESTS.length,
            of: { kind: 'enum', values: EMAIL_REQUESTS },
          },
        },
      },
      ceiling: 'sensitive',
      compartment: null,
      reaches: 'sensitive',
      sink: null,
    },
    {
      id: 'email.count',
      description: 'How many mails of the inbox are unread, and nothing of what they say.',
      capability: 'mail:read',
      doing: 'searching_mail',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      semantics: 'read',
      args: { kind: 'record', fields: { account: ACCOUNT } },
      output: {
        kind: 'record',
        fields: { unread: { kind: 'number' }, more: { kind: 'boolean' } },
      },
      ceiling: 'sensitive',
      compartment: null,
      reaches: 'sensitive',
      sink: null,
    },
  ],
})
