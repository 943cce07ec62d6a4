/**
 * Mail (I-10 – I-12): arguments and output of its actions, field by field, with levels. The same for Gmail's API and for IMAP and SMTP.
 * Must not contain code. Called by both places' registries and by run.ts.
 */
import type { RecordSpec } from '../../../kernel/flow/field.ts'
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'
import { GOOGLE_CONNECT } from '../google-connect.ts'
import { answerActions } from './actions/answer-actions.ts'
import { digestAction } from './actions/digest-actions.ts'
import { enclosedAction, enclosesAnswer, FILES_FROM, FROM, OWN_FILES } from './actions/enclosed-actions.ts'
import { filingActions } from './actions/filing-actions.ts'
import { folderActions } from './actions/folder-actions.ts'
import { heardAction } from './actions/heard-action.ts'
import { leavingActions } from './actions/leaving-actions.ts'
import { openedActions } from './actions/opened-actions.ts'
import { promiseAction } from './actions/promise-actions.ts'
import { sendActions } from './actions/send-actions.ts'
import { MICROSOFT, OWN_MAIL } from './not-yet.ts'

/** Maximum mails in one answer. */
export const MAX_EMAILS = 25
/** Default number of mails. */
export const DEFAULT_EMAILS = 10
/** Maximum UTF-16 units of a name, a subject line, a preview and a body. */
export const EMAIL_TEXT = Object.freeze({
  ...{ name: 200, subject: 300, snippet: 400, body: 40_000 },
  /** Text that the owner sends, a file's name, words to search for, and a folder. */
  ...{ written: 20_000, file: 200, words: 200, folder: 100 },
})
export const MAX_LINKS = 30
export const MAX_RECIPIENTS = 50
export const MAX_DATES = 20
/** Maximum number of appointments of one mail: as many as a person compares at a glance; and UTF-16 units of their texts. */
export const MAX_APPOINTMENTS = 8
export const APPOINTMENT_TEXT = Object.freeze({ title: 300, place: 300, note: 300 })
/** Maximum number of mails that one call changes (DESIGN §10). */
export const MAX_CHANGED = 100
/** Maximum number of recipients of one mail: more would be a mailing list, which this tool is not for. */
export const MAX_SENT_TO = 20
export const MAX_FILES = 20
/** Maximum number of people in one answer, and of sent mails that are searched for them. */
export const MAX_PEOPLE = 20
export const SENT_LOOKED_AT = 50

/** Folders that every mailbox has in some form. */
export const EMAIL_FOLDERS = Object.freeze(['inbox', 'archive', 'sent', 'drafts', 'spam', 'trash'] as const)
export type EmailFolder = (typeof EMAIL_FOLDERS)[number]

export const EMAIL_MARKS = Object.freeze(['read', 'unread', 'flagged', 'unflagged'] as const)
export type EmailMark = (typeof EMAIL_MARKS)[number]

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
  /** True if `from` is absent, as a warning for readers of the other fields. */
  senderUnclear: { kind: 'boolean', optional: true },
  /** Address for replies, if it differs from `from`. */
  replyTo: { kind: 'email', optional: true },
  fromName: { kind: 'text', max: EMAIL_TEXT.name },
  subject: { kind: 'text', max: EMAIL_TEXT.subject },
  date: { kind: 'date' },
  hasAttachments: { kind: 'boolean' },
}

/** A mail as an entry of a list. */
const LISTED: RecordSpec = {
  kind: 'record',
  fields: {
    emails: {
      kind: 'list',
      max: MAX_EMAILS,
      of: {
        kind: 'record',
        fields: {
          ...HEAD,
          /** First recipient of one of the owner's own mails. */
          to: { kind: 'email', optional: true },
          unread: { kind: 'boolean' },
          /** Whether it was sent to a mailing list, by its headers. */
          mailing: { kind: 'boolean', optional: true },
          snippet: { kind: 'text', max: EMAIL_TEXT.snippet },
        },
      },
    },
    more: { kind: 'boolean', remark: true },
    /** No mail has all of the requested words; these have most of them. */
    some: { kind: 'boolean', optional: true },
    /** The folder that was requested by name: a filter or another program may have chosen the name. */
    folder: { kind: 'text', max: EMAIL_TEXT.folder, optional: true, remark: true },
  },
}

const FOLDER = { kind: 'enum', values: EMAIL_FOLDERS, optional: true } as const
/** A folder by the owner's name for it. */
const IN = { kind: 'text', max: EMAIL_TEXT.folder, optional: true } as const
const DAY = { kind: 'date', optional: true } as const
const IDS = { kind: 'list', max: MAX_CHANGED, of: { kind: 'id' } } as const
const ID = { kind: 'id' } as const
const RECIPIENTS = { kind: 'list', max: MAX_SENT_TO, of: { kind: 'email', destination: true } } as const
const WRITTEN = { kind: 'text', max: EMAIL_TEXT.written } as const
const SUBJECT = { kind: 'text', max: EMAIL_TEXT.subject } as const

/** Ids of the mails now; moving may change an id. `gone`: number of mails that no longer existed. */
const MOVED: RecordSpec = {
  kind: 'record',
  fields: {
    emails: { kind: 'list', max: MAX_CHANGED, of: { kind: 'record', fields: { id: ID } } },
    changed: { kind: 'number' },
    gone: { kind: 'number' },
  },
}

/**
 * `refused`: recipients that the server refused; the others receive it. `filed`: whether a copy is in the folder of sent mails.
 */
const SENT: RecordSpec = {
  kind: 'record',
  fields: {
    to: { kind: 'list', max: MAX_SENT_TO * 3, of: { kind: 'email' } },
    refused: { kind: 'list', max: MAX_SENT_TO * 3, of: { kind: 'email' } },
    filed: { kind: 'boolean' },
  },
}

const READ = {
  ...({ semantics: 'read', capability: 'mail:read', ceiling: 'sensitive', compartment: null } as const),
  ...({ reaches: 'sensitive', sink: null } as const),
}
const WRITE = {
  ...({ semantics: 'write', capability: 'mail:write', ceiling: 'sensitive', compartment: null } as const),
  ...({ reaches: 'sensitive', sink: 'sink:mail:owner' } as const),
  offline: {
    policy: { do: 'refuse' },
    why: 'a write that happens long after it was wanted surprises',
  } as const,
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
  notYet: [MICROSOFT, OWN_MAIL],
  actions: [
    {
      ...READ,
      id: 'email.list',
      core: true,
      description: 'Newest of inbox or folder.',
      doing: 'searching_mail',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      args: {
        kind: 'record',
        fields: {
          account: ACCOUNT,
          in: IN,
          from: { kind: 'text', max: EMAIL_TEXT.words, optional: true },
          unread: { kind: 'boolean', optional: true },
          since: DAY,
          before: DAY,
          count: { kind: 'number', optional: true },
        },
      },
      output: LISTED,
    },
    {
      ...READ,
      id: 'email.search',
      core: true,
      description:
        'Mails of any folder with all words (whole ones), else most; people: words of a name, or an address.',
      doing: 'searching_mail',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      args: {
        kind: 'record',
        fields: {
          account: ACCOUNT,
          words: { kind: 'text', max: EMAIL_TEXT.words, optional: true },
          from: { kind: 'text', max: EMAIL_TEXT.words, optional: true },
          to: { kind: 'text', max: EMAIL_TEXT.words, optional: true },
          unread: { kind: 'boolean', optional: true },
          since: DAY,
          before: DAY,
          folder: FOLDER,
          in: IN,
          count: { kind: 'number', optional: true },
        },
      },
      output: LISTED,
    },
    {
      ...READ,
      id: 'email.read',
      core: true,
      description: 'Whole mail.',
      doing: 'reading_message',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      args: { kind: 'record', fields: { account: ACCOUNT, id: ID } },
      output: {
        kind: 'record',
        fields: {
          ...HEAD,
          /** Planners use `files` instead. */
          hasAttachments: { kind: 'boolean', remark: true },
          to: { kind: 'list', max: MAX_RECIPIENTS, of: { kind: 'email' } },
          /** The owner sent or drafted it. */
          mine: { kind: 'boolean', optional: true },
          cc: { kind: 'list', max: MAX_RECIPIENTS, of: { kind: 'email' }, optional: true },
          /** Recipients other than its sender and the owner: the additional recipients of a reply to all. */
          others: { kind: 'list', max: MAX_RECIPIENTS, of: { kind: 'email' }, optional: true },
          body: { kind: 'text', max: EMAIL_TEXT.body },
          truncated: { kind: 'boolean', remark: true },
          /** One of its parts is an invitation. */
          invites: { kind: 'boolean', optional: true },
          files: {
            kind: 'list',
            max: MAX_FILES,
            of: { kind: 'text', max: EMAIL_TEXT.file },
            optional: true,
          },
          links: { kind: 'list', max: MAX_LINKS, of: { kind: 'url' } },
          dates: { kind: 'list', max: MAX_DATES, of: { kind: 'date' } },
          /** From its invitation, from data in its HTML, or from its words; `note`: the sentence with the times. */
          appointments: {
            ...({ kind: 'list', max: MAX_APPOINTMENTS, optional: true } as const),
            of: {
              kind: 'record',
              fields: {
                title: { kind: 'text', max: APPOINTMENT_TEXT.title },
                ...{ from: { kind: 'date' }, to: { kind: 'date' } },
                place: { kind: 'text', max: APPOINTMENT_TEXT.place, optional: true },
                note: { kind: 'text', max: APPOINTMENT_TEXT.note, optional: true },
              },
            },
          },
          requests: {
            kind: 'list',
            max: EMAIL_REQUESTS.length,
            of: { kind: 'enum', values: EMAIL_REQUESTS },
          },
        },
      },
    },
    {
      ...READ,
      id: 'email.count',
      description: 'How many mails of the inbox are unread.',
      doing: 'searching_mail',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      args: { kind: 'record', fields: { account: ACCOUNT } },
      output: {
        kind: 'record',
        fields: { unread: { kind: 'number' }, more: { kind: 'boolean' } },
      },
    },
    {
      ...WRITE,
      id: 'email.draft',
      worded: 'body',
      description: 'Keep a draft, sending nothing; answers: id of the mail that it answers.',
      asks: 'taint',
      args: {
        kind: 'record',
        fields: {
          account: ACCOUNT,
          answers: { ...ID, optional: true },
          to: { kind: 'list', max: MAX_SENT_TO, of: { kind: 'email' }, optional: true },
          cc: { kind: 'list', max: MAX_SENT_TO, of: { kind: 'email' }, optional: true },
          subject: { ...SUBJECT, optional: true },
          body: WRITTEN,
          from: FROM,
          files: OWN_FILES,
          filesFrom: FILES_FROM,
        },
      },
      remarks: enclosesAnswer('answers'),
      output: { kind: 'record', fields: { id: { ...ID, optional: true } } },
      done: 'the draft is in your drafts folder.',
    },
    ...sendActions({ SENDING: WRITE, ACCOUNT, RECIPIENTS, SUBJECT, WRITTEN, SENT }),
    ...answerActions({
      ...{ SENDING: WRITE, ACCOUNT, ID, RECIPIENTS, SUBJECT, WRITTEN, SENT },
      BODY: { kind: 'text', max: EMAIL_TEXT.body },
    }),
    enclosedAction({ ACCOUNT, ID, SENSITIVE }),
    ...openedActions({ READ, ACCOUNT, ID, SENSITIVE }),
    ...filingActions({
      ...{ FILING: WRITE, ACCOUNT, IDS, MOVED, MARKS: EMAIL_MARKS, most: MAX_EMAILS },
      ...{ longest: EMAIL_TEXT, SENSITIVE },
    }),
    ...folderActions({
      ...{ READ, WRITING: WRITE, ACCOUNT, SENSITIVE, FOLDERS: EMAIL_FOLDERS, longest: EMAIL_TEXT.folder },
    }),
    digestAction({ READ, ACCOUNT, HEAD, SENSITIVE }),
    heardAction({ READ, ACCOUNT, HEAD, TEXT: EMAIL_TEXT, SENSITIVE }),
    promiseAction({ READ, ACCOUNT, TEXT: EMAIL_TEXT, SENSITIVE }),
    ...leavingActions({ READ, SENDING: WRITE, ACCOUNT, ID, SUBJECT, SENT, SENSITIVE }),
    {
      ...READ,
      id: 'email.recipients',
      terms: ['contact', 'contacts'],
      description: 'Whom the newest sent mails went to; sent: how many.',
      doing: 'searching_mail',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      args: { kind: 'record', fields: { account: ACCOUNT } },
      output: {
        kind: 'record',
        fields: {
          people: {
            kind: 'list',
            max: MAX_PEOPLE,
            of: {
              kind: 'record',
              fields: {
                /** Name in the mail, if it is a plain name; otherwise derived from the address. */
                name: { kind: 'text', max: 80 },
                email: { kind: 'email' },
                sent: { kind: 'number' },
              },
            },
          },
        },
      },
    },
  ],
})
