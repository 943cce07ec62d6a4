/**
 * The one schema of `config.toml` (S-01, DESIGN §8): every key with its default. Unknown keys are refused, so that a
 * misspelt setting is not silently ignored. Tables of channels use the schemas of their packages. Must not read files.
 * Called by config.ts.
 */

import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { HOME_CHATS } from '../../integrations/channels/index.ts'
import { budgetEntry } from '../../integrations/models/budget-settings.ts'
import { isOwnAddress, unreachable } from '../../integrations/models/provider-settings.ts'
import { GOOGLE_ACCOUNT } from '../../integrations/tools/calendar/account-port.ts'
import { OAUTH_SERVICES } from '../../integrations/tools/oauth-services.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { DEFAULT_SEARCH, ENGINES } from '../../integrations/tools/search/engines.ts'
import { DEFAULT_WINDOW, WINDOW_BOUNDS } from '../../kernel/features/history/history-window.ts'
import { MOST_ADDRESSES, SENDER_TEXT } from '../../kernel/features/sender/sender.ts'
import { OWN_COMMANDS_ENTRY } from '../../kernel/task/command.ts'
import { LANGUAGE_CODES } from '../../kernel/wording/languages.ts'
import { MAX_ADDRESSBOOKS } from '../addressbook/addressbook-settings.ts'
import { ACCOUNT_NAME, isCalendarServer, MAX_CALENDAR_ACCOUNTS } from '../calendar/calendar-settings.ts'
import { MOST_OTHER_MAIL } from '../mail/mail-accounts.ts'
import { FINGERPRINT, MAIL_SERVER } from '../mail/mail-settings.ts'
import { speechSchema, visionSchema } from '../models/models-config.ts'
import { PERSONA_NAME } from '../persona/persona.ts'
import { LOG_LEVELS } from '../process/decision-log.ts'
import { httpSchema } from './http-settings.ts'

/** Longest text of a setting, UTF-16 units. A longer one is an accidental paste. */
const MAX_TEXT = 200
/** Maximum number of contacts. Each is a destination that needs no approval, and nobody has reviewed a list of thousands. */
const MAX_CONTACTS = 500
const MAX_EXEMPT_ORIGINS = 16
/** Maximum number of lines of the owner's preferences, which are part of every prompt that answers the owner. */
const MAX_PREFERENCES = 20
const MAX_ACCOUNTS = 16
const MAX_CALENDARS = 25
/** Maximum number of file folders. Each listing walks all of them. */
const MAX_FOLDERS = 8
/**
 * Bounds of the approval timeout in seconds. Below 10 nobody can read a card; above a day the situation that it describes has
 * changed (F-05).
 */
const APPROVAL_SECONDS = { least: 10, most: 86_400, usual: 300 } as const

/** Time of the daily backup, and for how many days, and weeks before them, one backup is kept (E-15, S-04). */
const USUAL_BACKUP = { at: '03:00', keep_days: 7, keep_weeks: 4 } as const
/** Maximum number of days or weeks of backups: each is a whole copy, and a year of them may fill a disk unnoticed. */
const MOST_BACKUPS = 366
const timeOfDay = z.string().check(
  z.refine((value) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value), {
    error: 'must be a time of day, such as 03:00',
  }),
)

/**
 * Seconds of a model call. A model on a home computer cannot answer in less than the minimum; nobody waits longer than the
 * maximum.
 */
const seconds = z.int().check(z.minimum(5), z.maximum(3_600))

/** The owner's chats with home, where home may ask for approval. */
const OWNER_CHAT_NAMES: readonly string[] = Object.freeze([...HOME_CHATS.keys()])

const turns = z.int().check(z.minimum(0), z.maximum(WINDOW_BOUNDS.turns))

const text = z.string().check(z.minLength(1), z.maxLength(MAX_TEXT))
const origin = text.check(z.refine(isOrigin, { error: 'must be an origin, such as https://example.com' }))
/** Address of an API: an origin, optionally with a path. */
const address = text.check(
  z.refine(isAddress, { error: 'must be an address, such as https://example.com/api' }),
)
const ipAddress = text.check(z.refine((value) => isIP(value) !== 0, { error: 'must be an IP address' }))
const folder = text.check(z.refine((value) => value.startsWith('/'), { error: 'must be an absolute path' }))
/** Path on a server in percent-encoding, with a slash at the end. */
const davPath = text.check(z.regex(/^\/[\x21-\x7e]*$/))
/** Address with https, or an address literal on the owner's own network: a name could point elsewhere later. */
const calendarServer = text.check(
  z.refine((url) => isOrigin(url) && isCalendarServer(url), {
    error: 'must be https, or an address (not a name) of your own network',
  }),
)
const accountName = z.string().check(
  z.regex(ACCOUNT_NAME),
  z.refine((name) => name !== GOOGLE_ACCOUNT, { error: 'is taken' }),
)
const calendarAccount = z.discriminatedUnion('kind', [
  z.strictObject({
    ...{ kind: z.literal('caldav'), name: accountName, server: calendarServer, user: text },
    address: z.optional(z.email()),
    home: davPath,
    calendars: z._default(z.array(text).check(z.maxLength(MAX_CALENDARS)), []),
    /** The server sends invitations itself. */
    invites: z._default(z.boolean(), false),
  }),
  z.strictObject({ kind: z.literal('ics'), name: accountName, server: calendarServer }),
])
const addressbookAccount = z.strictObject({
  ...{ name: accountName, server: calendarServer, user: text, home: davPath },
})
/** Settings that all mailboxes share: its servers and its sender. */
const mailbox = {
  address: z.email(),
  user: z.optional(text),
  name: z.optional(text),
  /** Further addresses that the mailbox may send as. */
  also: z.optional(z.array(z.email()).check(z.maxLength(MOST_ADDRESSES))),
  /** Signature of its mails. */
  signature: z.optional(z.string().check(z.maxLength(SENDER_TEXT.signature))),
  imap: z.string().check(z.regex(MAIL_SERVER)),
  smtp: z.string().check(z.regex(MAIL_SERVER)),
  files_sent: z._default(z.boolean(), false),
  /** A server on the owner's own network: its IP address, and the SHA-256 of its certificate. */
  own: z.optional(
    z.strictObject({ address: ipAddress, fingerprint: z.string().check(z.regex(FINGERPRINT)) }),
  ),
}
const timezone = text.check(z.refine(isTimezone, { error: 'must be a time zone, such as Europe/Berlin' }))

/** Services that tools reach with a credential of the owner's. Those with several accounts have a table of their own. */
const SERVICES = [
  ...new Set(
    TOOL_MANIFESTS.flatMap(({ credential }) =>
      credential === null ||
      OAUTH_SERVICES.some(({ service, hasTable }) => hasTable && service === credential)
        ? []
        : [credential],
    ),
  ),
]

export const configSchema = z.strictObject({
  owner: z._default(
    z.strictObject({
      name: z.optional(text),
      timezone: z.optional(timezone),
      language: z.optional(z.enum(LANGUAGE_CODES)),
      preferences: z._default(z.array(text).check(z.maxLength(MAX_PREFERENCES)), []),
    }),
    { preferences: [] },
  ),
  persona: z._default(z.strictObject({ name: z.optional(PERSONA_NAME), style: z.optional(text) }), {}),
  contacts: z._default(
    z.array(z.strictObject({ name: text, email: z.email() })).check(z.maxLength(MAX_CONTACTS)),
    [],
  ),
  edge: z._default(z.strictObject({ url: z.optional(origin) }), {}),
  /** The owner's own commands. Those with `open` are also sent to the edge, which offers them in its bot (O-21). */
  commands: z._default(OWN_COMMANDS_ENTRY, []),
  tools: z._default(
    z.strictObject({
      google: z.optional(
        z.strictObject({
          base_url: z.optional(origin),
          account: z.optional(text),
          /** Demo data about invented people; the owner is told that it is a demo. Written by `npm start`. */
          demo: z._default(z.boolean(), false),
          /** The name marks a secret, so literal-secret.ts accepts only a `vault:` reference. */
          credential: z.optional(text),
          /** Further mailboxes of the same service, each with its own secret (I-12). */
          accounts: z._default(
            z.array(z.strictObject({ name: text, credential: text })).check(z.maxLength(MAX_ACCOUNTS)),
            [],
          ),
        }),
      ),
      /** Each entry is a calendar's name or id. */
      calendar: z.optional(
        z.strictObject({
          chosen: z._default(z.array(text).check(z.maxLength(MAX_CALENDARS)), []),
          default: z.optional(text),
          /** Accounts besides Google's; written by `pfar connect calendar`. */
          accounts: z._default(z.array(calendarAccount).check(z.maxLength(MAX_CALENDAR_ACCOUNTS)), []),
        }),
      ),
      /** Address books besides Google's; written by `pfar connect contacts`. */
      addressbook: z.optional(
        z.strictObject({
          accounts: z._default(z.array(addressbookAccount).check(z.maxLength(MAX_ADDRESSBOOKS)), []),
        }),
      ),
      /** The owner's mail by IMAP and SMTP, and further mailboxes; written by `pfar connect mail`. */
      mail: z.optional(
        z.strictObject({
          ...mailbox,
          account: z.optional(accountName),
          default: z.optional(accountName),
          accounts: z._default(
            z.array(z.strictObject({ ...mailbox, account: accountName })).check(z.maxLength(MOST_OTHER_MAIL)),
            [],
          ),
        }),
      ),
      /** Absolute paths of folders whose files may be read and, after a card, written; written by `pfar connect files`. */
      files: z.optional(
        z.strictObject({ folders: z._default(z.array(folder).check(z.maxLength(MAX_FOLDERS)), []) }),
      ),
      /** Absolute path of the folder that health exports are put into; written by `pfar health watch`. */
      health: z.optional(z.strictObject({ folder: z.optional(folder) })),
      /** Written by `pfar http`. */
      http: z.optional(httpSchema),
      web: z.optional(
        z.strictObject({
          engine: z._default(z.enum(ENGINES), DEFAULT_SEARCH.engine),
          /** Address of the owner's own SearXNG. */
          searxng: z.optional(
            text.check(
              z.refine((url) => isSearchAddress(url), {
                error: 'must be https at its usual port, or an address (not a name) of your own network',
              }),
            ),
          ),
        }),
      ),
    }),
    {},
  ),
  /** The owner's own server of a service, such as GitHub Enterprise, or an emulator. */
  services: z._default(
    z.partialRecord(
      z.enum(SERVICES),
      z.strictObject({
        base_url: z.optional(address),
        /** SHA-256 of its certificate, which the owner confirmed; written by `pfar connect`. */
        fingerprint: z.optional(z.string().check(z.regex(FINGERPRINT))),
      }),
    ),
    {},
  ),
  /** Validated by models-config.ts: an error disables the models and does not stop the start. */
  models: z.optional(z.unknown()),
  speech: z.optional(speechSchema),
  vision: z.optional(visionSchema),
  network: z._default(
    z.strictObject({
      exempt_origins: z._default(z.array(origin).check(z.maxLength(MAX_EXEMPT_ORIGINS)), []),
    }),
    { exempt_origins: [] },
  ),
  budget: z.optional(budgetEntry),
  documents: z._default(
    /** Reads PDFs even where the parser process cannot be sandboxed with bubblewrap. */
    z.strictObject({ without_sandbox: z._default(z.boolean(), false) }),
    { without_sandbox: false },
  ),
  backup: z._default(
    z.strictObject({
      folder: z.optional(folder),
      /** Time of day, so that it runs once a day: the owner is notified when a day has no backup. */
      at: z._default(timeOfDay, USUAL_BACKUP.at),
      keep_days: z._default(z.int().check(z.minimum(1), z.maximum(MOST_BACKUPS)), USUAL_BACKUP.keep_days),
      keep_weeks: z._default(z.int().check(z.minimum(0), z.maximum(MOST_BACKUPS)), USUAL_BACKUP.keep_weeks),
    }),
    USUAL_BACKUP,
  ),
  approvals: z._default(
    z.strictObject({
      timeout_seconds: z._default(
        z.int().check(z.minimum(APPROVAL_SECONDS.least), z.maximum(APPROVAL_SECONDS.most)),
        APPROVAL_SECONDS.usual,
      ),
      /** In order of preference; if one fails, the next is tried. */
      chats: z._default(
        z
          .array(z.enum(OWNER_CHAT_NAMES))
          .check(z.minLength(1), z.refine(isDistinct, { error: 'must name each chat once' })),
        [...OWNER_CHAT_NAMES],
      ),
    }),
    { timeout_seconds: APPROVAL_SECONDS.usual, chats: [...OWNER_CHAT_NAMES] },
  ),
  log: z._default(z.strictObject({ level: z._default(z.enum(LOG_LEVELS), 'error') }), { level: 'error' }),
  timeouts: z._default(
    z.strictObject({
      plan_seconds: z.optional(seconds),
      step_seconds: z.optional(seconds),
      answer_seconds: z.optional(seconds),
      notes_seconds: z.optional(seconds),
    }),
    {},
  ),
  reader: z._default(z.strictObject({ pass: z._default(z.boolean(), false) }), { pass: false }),
  session: z._default(
    z.strictObject({
      planner_turns: z._default(turns, DEFAULT_WINDOW.plannerTurns),
      writer_turns: z._default(turns, DEFAULT_WINDOW.writerTurns),
      history_tokens: z._default(
        z.int().check(z.minimum(0), z.maximum(WINDOW_BOUNDS.tokens)),
        DEFAULT_WINDOW.tokens,
      ),
    }),
    {
      planner_turns: DEFAULT_WINDOW.plannerTurns,
      writer_turns: DEFAULT_WINDOW.writerTurns,
      history_tokens: DEFAULT_WINDOW.tokens,
    },
  ),
})

export type ParsedConfig = z.output<typeof configSchema>

/** Requires scheme, host and port only: with a path or a user name it would never match the origin of a request. */
function isOrigin(value: string): boolean {
  const url = URL.parse(value)
  return (
    url !== null && /^https?:$/.test(url.protocol) && (value === url.origin || value === `${url.origin}/`)
  )
}

function isAddress(value: string): boolean {
  const url = URL.parse(value)
  const isBare = url !== null && url.username === '' && url.search === '' && url.hash === ''
  return isBare && /^https?:$/.test(url.protocol) && !value.includes('..')
}

function isDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length
}

function isTimezone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/**
 * A path is allowed, a query is not. On the owner's own network only an address literal is allowed, because a name could point
 * elsewhere later.
 */
export function isSearchAddress(value: string): boolean {
  const url = URL.parse(value)
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '') return false
  return unreachable(value, isOwnAddress(value) ? [url.origin] : []) === null
}
