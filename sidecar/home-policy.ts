/**
 * What the owner has decided, as home holds it: who he is, which sinks exist and what they may carry (A-40, A-41;
 * DESIGN §1). Home is the policy authority. Must not read files or clocks. Called by powers.ts.
 *
 * Data: everything above `internal`. Readers: the owner's own sinks. Rationale: every one of them is his alone, so
 * what is narrowed here is not who reads but which line a guard may travel by.
 */

import { TELEGRAM } from '../integrations/channels/telegram/names.ts'
import type { Compartment } from '../kernel/flow/level.ts'
import type { Policy } from '../kernel/flow/policy.ts'
import type { AllowList, Sink } from '../kernel/flow/sink.ts'
import { type Directory, OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import type { OwnerChat } from './config-schema.ts'
import { TERMINAL_SINK } from './home-methods.ts'
import { SLACK_PRIVATE, type SlackConfig, slackOwner } from './slack/slack-config.ts'
import { TELEGRAM_PRIVATE, type TelegramConfig } from './telegram/telegram-config.ts'

const NONE: readonly Compartment[] = Object.freeze([])
const HEALTH = 'health' as Compartment

/** The sinks of the chats that configuration may name (F-18). */
export const OWNER_CHATS: Readonly<Record<OwnerChat, string>> = Object.freeze({
  terminal: TERMINAL_SINK,
  telegram: TELEGRAM_PRIVATE.sink,
  slack: SLACK_PRIVATE.sink,
})

const SINKS: readonly Sink[] = Object.freeze([
  own(TERMINAL_SINK, 'home', 'sensitive'),
  own(TELEGRAM_PRIVATE.sink, 'home', 'sensitive'),
  own(SLACK_PRIVATE.sink, 'home', 'sensitive'),
  own('sink:openline:owner', 'edge', 'internal'),
  own('sink:calendar:owner', 'home', 'sensitive'),
  own('sink:mail:owner', 'home', 'sensitive'),
  own('sink:memory:owner', 'home', 'regulated', [HEALTH]),
  own('sink:memory:open', 'edge', 'internal'),
  own('sink:place:edge', 'edge', 'internal'),
  own('sink:place:home', 'home', 'regulated', [HEALTH]),
])

/** `secret` has no list because it has no reader at all: the policy engine denies it before any list is read. */
const ALLOW_LISTS: readonly AllowList[] = Object.freeze([
  {
    guard: 'sensitive',
    patterns: [
      TERMINAL_SINK,
      TELEGRAM_PRIVATE.sink,
      SLACK_PRIVATE.sink,
      'sink:calendar:owner',
      'sink:mail:owner',
      'sink:memory:owner',
      'sink:place:home',
    ],
  },
  { guard: 'regulated', patterns: ['sink:memory:owner', 'sink:place:home'] },
])

export const HOME_POLICY: Policy = Object.freeze({
  owner: OWNER_PRINCIPAL,
  sinks: SINKS,
  allowLists: ALLOW_LISTS,
  flowGrants: [],
  writeGrants: [],
  linkedChats: [],
})

/**
 * The owner on the private line is whoever opens the socket (0600), and his accounts at Telegram and Slack where he has a line
 * there at home; on the open line, the enrolled device.
 */
export function homeDirectory(
  deviceId: string,
  telegram: Pick<TelegramConfig, 'owner'> | null,
  slack: Pick<SlackConfig, 'team' | 'owner'> | null = null,
): Directory {
  const bot = telegram === null ? [] : [`${TELEGRAM}:${telegram.owner}`]
  const app = slack === null ? [] : [slackOwner(slack)]
  return { owner: ['terminal:local', `openline:device:${deviceId}`, ...bot, ...app], paired: [] }
}

function own(
  id: string,
  place: Sink['place'],
  level: Sink['level'],
  compartments: readonly Compartment[] = NONE,
): Sink {
  return Object.freeze({
    id,
    place,
    level,
    compartments,
    principal: OWNER_PRINCIPAL,
    audience: place === 'edge' && id.startsWith('sink:place:') ? 'many' : 'sole',
  })
}
