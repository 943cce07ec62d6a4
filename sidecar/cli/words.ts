/**
 * One sentence per way in which a line can fail, for when no answer came. A task's own errors are in the place's
 * answer. Must not show content. Called by the commands.
 */

import type { Refusal } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { startCommand } from '../process/installed-parts.ts'
import { refusalDetail } from '../process/start-sentence.ts'

const SENTENCES: Partial<Readonly<Record<ReasonCode, string>>> = {
  home_offline: `Home cannot be reached. Start it with \`${startCommand()}\`.`,
  home_timeout: 'Home took too long to answer. Try again, or look at `pfar status`.',
  remote_unavailable: 'The edge cannot be reached. Start it with `npm start`.',
  signature_invalid: 'The edge does not know this device. Restart `npm start` to enrol it.',
  event_stale: 'The edge refused the date of this message. Is the clock of this machine right?',
  place_not_cleared: 'This cannot be handled on the open line. Ask it without `--line open`.',
  pairing_refused:
    'That code could not be used: it is wrong, expired, used up or tried too often. `pfar devices add` gives a new one.',
  edge_not_pinned: 'That edge does not know the code, so it was not trusted. Check its address.',
  device_revoked: 'This device was revoked at the edge. Pair it again with a new code.',
  url_malformed: 'Give the address of the edge, such as https://pfar.example.workers.dev.',
  response_timeout: 'The edge took too long to answer. Try again.',
  remote_rate_limited: 'The edge asks to slow down. Try again in a minute.',
  remote_rejected: 'The edge could not take this. Try again.',
  event_too_large: 'That message is too long for this line.',
  event_malformed: 'That message could not be read.',
  approval_unknown:
    'No such approval is waiting here. `pfar approvals` lists them, with `--line open` those of the edge.',
  approval_expired: 'That approval has expired. Ask again to get a new one.',
  approval_spent: 'That approval was already decided.',
  approval_wrong_principal: 'That approval belongs to somebody else.',
  approval_place_too_low: 'This needs your private line: say it without `--line open`.',
  approval_step_up: 'That widens what may be done: agree to it in a message of its own.',
  identity_linked: 'These two are linked already. `pfar identities` shows it.',
  identity_unknown: 'There is no such link, or it has ended. `pfar identities` lists them.',
  template_none_matches: 'No template of that name is for the people that you mean.',
  agreement_unknown: 'There is nobody of that id, or it is over. `pfar people` lists them.',
  principal_malformed:
    'That is nobody I could know. Say it like terminal:local, as `pfar identities` shows it.',
  principal_not_allowed: 'Those two cannot be linked: each must be one person’s account, and not the same.',
  grant_missing: 'There is no such grant. `pfar grants` lists them.',
  write_raw: 'That cannot be allowed in advance: part of it was written by somebody else.',
  write_free_text: 'That cannot be allowed in advance: it carries text that is not only yours.',
  declassification_forbidden: 'That cannot be allowed in advance: it may not be told to others.',
  field_malformed: 'Those bounds cannot be set. `pfar grants --help` shows the usual ones.',
  edge_locked: 'The edge is locked. Unlock it at home: `pfar unlock`.',
  choice_ambiguous: 'Several approvals are waiting. Say which: `pfar approvals` lists them.',
  nothing_found: 'No approval is waiting.',
  memory_gone:
    'That is gone: it was forgotten, and its number names nothing else. `pfar memory` lists what is remembered.',
  memory_unknown: 'Nothing of that kind is remembered. `pfar memory` lists what is.',
  task_unknown: 'No such task is known there.',
  task_stuck: 'No answer in time. The work goes on; its answer will wait for you in the chat.',
  frame_malformed: 'The other side answered in a way this version does not understand. Are both up to date?',
  credential_missing: 'This device has no key yet. Start PFAR once with `npm start`.',
  storage_full: wordsFor('storage_full'),
  storage_failed: wordsFor('storage_failed'),
  config_malformed: 'The state of the local edge could not be read. Restart `npm start`.',
}

/**
 * Always a sentence; a code without one is shown by name, which is no secret to the owner. Facts are shown only
 * for this machine's configuration and files: refusals of another place have none.
 */
export function sentenceFor(refusal: Refusal): string {
  const { code, facts } = refusal
  if (code === 'config_malformed' && facts['key'] !== undefined)
    return `config.toml: ${refusalDetail(refusal)}.`
  if (facts['file'] !== undefined && facts['problem'] !== undefined)
    return `${refusalDetail(refusal)}. (${code})`
  return SENTENCES[code] ?? `That did not work (${code.replaceAll('_', ' ')}). Try again.`
}
