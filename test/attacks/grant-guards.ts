/**
 * The guards of what strangers are told by the edge under a grant of home's (F-13, X-05), at both ends, as
 * rows of link-guards.ts. Called by link-controls.ts.
 */
import type { LinkGuard } from './link-guards.ts'

const BOTH = 'pipeline/edge-grants'
const EDGE = 'worker/grants'
const CACHE = 'durable-objects/principal/grant-cache'

const SERVE_TS = 'kernel/features/models/serve.ts'
const TOLD_TS = 'kernel/tunnel/synced.ts'
const EDGE_TS = 'durable-objects/grants.ts'
const CACHE_TS = 'durable-objects/grants.ts'

/** What home asks of a stranger's name before it looks anything up. */
const HOME: readonly LinkGuard[] = [
  ['grant: a person', SERVE_TS, "if (person.kind !== 'peer' && ", "if (person.kind === 'nobody' && ", BOTH],
  [
    'grant: a template of the class of the asker',
    SERVE_TS,
    "  if (template.principalClass !== as) return err('principal_not_allowed')\n",
    '',
    BOTH,
  ],
  [
    'grant: an agreement of home’s own',
    SERVE_TS,
    '  if (over !== null) return err(over.code, over.facts)\n',
    '',
    'pipeline/people-edge',
  ],
  ['grant: a chat of his channel', SERVE_TS, '=== true && !isKnown', '!== undefined && !isKnown', BOTH],
  ['grant: no chat that is known', SERVE_TS, '=== true && !isKnown', '=== true', BOTH],
  [
    'grant: the template of the channel of the asker',
    SERVE_TS,
    "isOwn && mayStart(template, { adapter, kind: 'message', class: as })",
    'isOwn',
    BOTH,
  ],
  [
    'grant: one that is needed',
    SERVE_TS,
    "if (grant === null) return err('grant_missing', { tool: action.id })",
    'if (grant === null) return ok(true)',
    BOTH,
  ],
  ['grant: every field, before the call', SERVE_TS, '  if (!mayTell.ok) return mayTell\n', '', BOTH],
  [
    'grant: counted',
    SERVE_TS,
    'powers.store.transaction(() => powers.store.useGrant(grant, powers.now()))',
    'true as boolean',
    BOTH,
  ],
  ['grant: for strangers, at all', SERVE_TS, '  if (!granted.ok) return granted\n', '', BOTH],
  ['grant: every field, after the call', SERVE_TS, '  if (!told.ok) return told\n', '', BOTH],
  [
    'grant: for the owner, templates of the owner',
    SERVE_TS,
    "template.principalClass === 'owner' ? ok(true)",
    'true ? ok(true)',
    BOTH,
  ],
]

/** What the edge is told, and for how long it counts there. */
const TOLD: readonly LinkGuard[] = [
  ['told: what is live', TOLD_TS, '!revoked && expiresAt > now', 'expiresAt > now', BOTH],
  ['told: what is not over', TOLD_TS, '!revoked && expiresAt > now', '!revoked', BOTH],
  ['told: for whoever asks', TOLD_TS, 'sink === ASKER && ', '', BOTH],
  ['told: of templates that fit the edge', TOLD_TS, ' && atEdge.includes(template)', '', BOTH],
  ['told: no more than so many', TOLD_TS, '    .slice(-MAX_SYNCED_GRANTS)\n', '', BOTH],
  ['told: not to be used there', TOLD_TS, 'perDay: 0', 'perDay: 9', EDGE],
  [
    'told: each change, to whoever runs',
    EDGE_TS,
    'names.slice(from, from + AT_ONCE).map((name) => env.PRINCIPALS.getByName(name).setGrants(held)),',
    '[],',
    EDGE,
  ],
  [
    'told: while home is there',
    EDGE_TS,
    '(await env.TUNNEL.getByName(TUNNEL_NAME).homeSeenAt()) + GRANT_TRUST',
    'Number.MAX_SAFE_INTEGER',
    EDGE,
  ],
  ['told: for a time', CACHE_TS, 'grants !== null && now() < grants.until', 'grants !== null', EDGE, CACHE],
  ['told: the newer word', CACHE_TS, 'if (held === before) held = asked', 'held = asked', CACHE],
  [
    'told: before anything runs',
    'durable-objects/principal/driver.ts',
    '      await powers.refresh()\n',
    '',
    EDGE,
  ],
  ['told: of a change alone', EDGE_TS, 'if (!isNews) return ok(true)', '', 'durable-objects/grants'],
  [
    'told: asked for again after a while',
    CACHE_TS,
    'if (asked !== null && !counts(asked)) asks = now() + ASK_AGAIN',
    '',
    CACHE,
  ],
  ['told: by the clock of who holds it', 'durable-objects/tunnel/inbox.ts', 'Date.now() - at', '0', EDGE],
]

export const GRANT_GUARDS: readonly LinkGuard[] = [...HOME, ...TOLD]
