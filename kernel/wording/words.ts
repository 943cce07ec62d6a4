/**
 * Reason codes as sentences for people: plain, honest, with a next step; no label, id or code. One exhaustive
 * table: a new reason code does not compile without its sentence. Called by deliver, card and `rules`.
 */
import type { ReasonCode } from '../reasons.ts'

const PRIVACY = 'I left that out to keep it private: it may not be sent here.'
const BROKEN_TOOL = 'The service answered in a way I could not use. Ask again to retry.'
const CONFUSED = 'I could not work out safe steps for that. Try saying it in another way.'
const OUR_FAULT = 'Something went wrong on my side. Nothing was sent or changed by it. Please try again.'
const NOT_ACCEPTED = 'I could not accept that message as it came.'
const ADDRESS = 'I may not open that address.'
const UNREACHABLE = 'I could not reach the service. Ask again to retry.'
const ASK_FIRST = 'That needs your approval first.'
const STALE_YES = 'That approval can no longer be used. Ask again and I will show you a new one.'
const NO_MODEL = 'No model that may see this is available right now. Please try again later.'
const LINK = 'The link to your home box had a problem. I will keep trying; please ask again in a moment.'
const STORAGE = 'Something I had stored could not be read back, so I left it out.'

const WORDS: Readonly<Record<ReasonCode, string>> = Object.freeze({
  level_unknown: OUR_FAULT,
  compartment_malformed: OUR_FAULT,
  label_malformed: OUR_FAULT,
  taint_malformed: OUR_FAULT,
  label_lowered: PRIVACY,
  secret_has_no_reader: PRIVACY,
  write_down: PRIVACY,
  compartment_missing: PRIVACY,
  sink_not_in_allow_list: PRIVACY,
  sink_unknown: PRIVACY,
  sink_wrong_principal: PRIVACY,
  sink_not_of_task: PRIVACY,
  model_not_cleared: NO_MODEL,
  place_not_cleared: 'I can only do that on your private line, at home.',
  ceiling_exceeded: 'That is too private for this conversation. Ask me on your private line.',
  policy_failed: OUR_FAULT,
  write_raw: `${ASK_FIRST} Part of it was written by someone else.`,
  write_free_text: `${ASK_FIRST} It carries free text that is not only yours.`,
  write_unknown_destination: `${ASK_FIRST} It goes to an address that you did not give me.`,
  write_template_asks: ASK_FIRST,
  write_approval_required: ASK_FIRST,
  disclosure_asks: `${ASK_FIRST} It tells a service words of yours.`,
  disclosure_not_said:
    'A service may be told words of your own message there, at most 80 characters, and this would have been something else. Say it the way it should be sent.',
  field_unknown: BROKEN_TOOL,
  field_malformed: BROKEN_TOOL,
  field_missing: BROKEN_TOOL,
  field_too_large: 'The service sent more than I can take in. Try asking for less.',
  reference_malformed: CONFUSED,
  reference_unresolved: 'I am missing a detail for that. Try telling me which one, or when.',
  reference_forward: CONFUSED,
  token_forged: OUR_FAULT,
  token_malformed: OUR_FAULT,
  token_expired: 'That took too long, so I did not do it. Please ask again.',
  token_not_yet_valid: OUR_FAULT,
  token_used_up: 'That was already done once, so I did not do it again.',
  token_wrong_task: OUR_FAULT,
  token_wrong_step: OUR_FAULT,
  token_wrong_tool: OUR_FAULT,
  token_wrong_scope: OUR_FAULT,
  token_wrong_place: OUR_FAULT,
  token_wrong_arguments: OUR_FAULT,
  token_missing: OUR_FAULT,
  event_malformed: NOT_ACCEPTED,
  event_too_large: 'That message is too long for me. Please send less at a time.',
  event_stale: 'That message came too late to be used. Please send it again.',
  principal_malformed: NOT_ACCEPTED,
  principal_not_allowed: 'I may not do that for you here.',
  signature_invalid: 'I could not verify who sent that, so I ignored it.',
  template_malformed: 'A task template has a mistake in it. The start-up log names it.',
  template_ambiguous: 'Two task templates claim the same message. The start-up log names them.',
  template_none_matches: 'I am not set up to answer this kind of message here.',
  template_class_mismatch: 'A task template has a mistake in it. The start-up log names it.',
  config_malformed: 'The configuration has a mistake in it. The start-up log names it.',
  plan_malformed: CONFUSED,
  plan_truncated: CONFUSED,
  plan_empty: 'I did not understand what to do. Say "help" to see what I can do.',
  plan_too_long: 'That would take more steps than I may take. Try asking for less at a time.',
  plan_duplicate_effect: CONFUSED,
  plan_limit_reached: CONFUSED,
  tool_not_in_template: 'I may not do that from this conversation.',
  tool_unknown: 'I have no tool for that. Say "help" to see what I can do.',
  tool_unavailable: 'I can only do that on your private line, at home.',
  tool_arguments_invalid:
    'I am missing a detail for that, or did not understand it. Try saying it in another way.',
  tool_calls_used_up: 'That took more calls than I may make for one message, so I stopped there.',
  tool_failed: BROKEN_TOOL,
  tool_result_invalid: BROKEN_TOOL,
  tool_timeout: 'The service took too long to answer. Ask again to retry.',
  write_outcome_unknown:
    'I was interrupted while doing this and cannot tell whether it happened. Please check before asking again; I will not repeat it by myself.',
  write_repeated: 'That would have done the same thing twice, so I did it only once.',
  nothing_found: 'I found nothing that matches.',
  memory_unknown: 'I remember nothing of that kind.',
  memory_gone: 'That is gone: it was forgotten.',
  history_compacted:
    'Our conversation has grown long: I go on from notes of its older part. Nothing is lost; ask me what we said.',
  directive_name: 'That is no name of a directive file.',
  directive_unknown: 'There is no directive file of that name.',
  directive_manual: 'I read that directive file only when you name it yourself.',
  directive_header: 'A directive file begins with a header that says what it owns.',
  directive_shrinks: 'That would take lines out of a directive file.',
  directive_budget: 'That would make the directive files too long.',
  choice_ambiguous: 'More than one matches. Tell me which one you mean.',
  host_not_allowed: ADDRESS,
  scheme_not_allowed: 'I only open secure (https) addresses.',
  address_private: 'That address belongs to a private network, so I may not open it.',
  url_malformed: 'That does not look like a web address I can open.',
  redirect_refused: 'That address sent me on to a place I may not go.',
  response_too_large: 'That page is too large for me.',
  response_timeout: 'That page took too long to answer. Ask again to retry.',
  network_failed: UNREACHABLE,
  remote_unauthorized: 'The service no longer accepts my access. It needs to be connected again.',
  remote_rejected: 'The service refused the request.',
  remote_not_found: 'The service does not have that any more.',
  remote_rate_limited: 'The service asked me to slow down. Please try again in a few minutes.',
  sandbox_missing:
    'I take files from others apart only in a process that this machine walls off, and it cannot: `pfar doctor` says what is missing.',
  tool_degraded:
    'This service has failed several times, so I leave it alone for half an hour and then try again. Nothing was done with it now.',
  remote_unavailable: 'The service is having trouble right now. Please try again later.',
  credential_cancelled: 'Cancelled; nothing was kept.',
  credential_missing:
    'That service is not connected yet. At home, `pfar connect` lists what can be connected and says how; then ask me again.',
  credential_taken:
    'I took that for what I had asked for, before anything read or kept it. It is tried now, and I say what came of it.',
  credential_mismatch: 'The stored access does not fit that service. It needs to be connected again.',
  credential_rejected:
    'A service did not accept the newest credential that I hold for it. `pfar secret list` shows which one; the one before it is used while it is still kept. Set a new one with `pfar secret rotate`.',
  credential_due:
    'A credential is more than a month old. `pfar secret list` shows which one. Make a new one at its service, then give it to me with `pfar secret rotate`.',
  secret_offered:
    'A credential that was typed on the open line has arrived at home. It is not used unless you accept it: `pfar secret list` shows its name, and `pfar secret accept` tries it, or takes it with the check that was shown where it was typed.',
  secret_expired:
    'A credential that was typed on the open line was thrown away unread: home did not come for it within a week. Type it again when home is connected, or at home.',
  secret_other_value:
    'What waits under that name is not the value that this check was made from. If you typed it yourself and the check is right, somebody changed it on the way: decline it, and type it at home.',
  seal_key_missing:
    'Nothing was taken: home has not been connected to this edge yet, so there is no key to seal it with. Connect home once, then try again.',
  operation_unknown: 'There is no such command here. "help" says what I can do.',
  change_stays: 'That cannot be taken back.',
  message_not_deleted:
    'I could not delete your message with the key in this chat. Please delete it yourself, and replace the key.',
  secret_in_call:
    'What I was to write holds something that looks like a key, a token or a password. I could not have shown you all of it before you agree, so I did not ask, and did nothing.',
  secret_in_prompt:
    'What I was to show a model holds a key, a token or a password, so I asked none. `pfar audit` says where it stands; take it out there, or say again what you would like, without it.',
  command_taken: 'A command of your own has the name of one of the program’s, which is the one that runs.',
  secret_pasted:
    'That held something that looks like a key, a token or a password, so I took it out before anything read it, and did not keep it. What is it for? If I am to use it, store it at home with `pfar secret set`. If not, say again what you would like, without it. It has stood in this chat, so consider replacing it.',
  approval_unknown: STALE_YES,
  approval_expired: 'Nobody answered my question in time, so I did not do it. Ask again to get a new one.',
  approval_spent: STALE_YES,
  approval_denied: 'You said no, so I did not do it.',
  approval_changed: 'What I was about to do had changed since you approved it, so I did not do it.',
  approval_withdrawn:
    'You edited the message that this was about, so I took the question back and did nothing of it. What the message says now I take as a new one.',
  approval_wrong_principal: 'Only the owner can decide that.',
  approval_place_too_low: 'I can only do that on your private line, at home.',
  approval_step_up: 'That widens what I may do, so it needs your yes in a message of its own.',
  approvals_many:
    'More than ten questions wait for your yes or no. `pfar approvals` lists them; what is not answered in time is not done.',
  grant_missing: PRIVACY,
  grant_budget_spent: 'I have said all that I may about this for today.',
  declassification_forbidden: PRIVACY,
  identity_code: 'Thank you. If that code was meant for you and this chat, I have noted it.',
  identity_linked: 'These two are linked already.',
  identity_unknown: 'There is no such link between two people.',
  agreement_made: 'Welcome. From now on I know you here, and do what was agreed with you.',
  agreement_ended: 'What was agreed with you has ended.',
  agreement_unknown: 'There is no such agreement with anybody.',
  model_failed: NO_MODEL,
  model_unavailable: NO_MODEL,
  model_timeout: NO_MODEL,
  model_overloaded: NO_MODEL,
  model_misconfigured:
    'The model that I would ask for this does not accept how it is set up here. `pfar doctor` says what is wrong.',
  model_garbled: NO_MODEL,
  model_resting:
    'The model that may see this does not answer at the moment, so I leave it alone for some minutes. Please ask again then.',
  model_degraded:
    'This model does not answer as it should, so I leave it alone for some minutes. Until then the next one that may see what you ask answers.',
  model_delayed: 'The model that I ask first does not answer. I am asking another one.',
  model_budget_spent: 'What you allow me to spend on models is used up for now. `pfar usage` shows on what.',
  model_refused_phase: OUR_FAULT,
  prompt_not_final: OUR_FAULT,
  prompt_too_large: 'That is more than I can read at once. Try asking for less.',
  answer_empty: 'I could not write an answer to that. Please try again.',
  answer_cut: 'What I wrote was cut short: there was no room for the rest of it.',
  home_offline:
    'Your home box is not connected, so I cannot reach your private data. It will work again once home is back; please ask then.',
  home_timeout: 'Your home box did not answer in time. Please ask again once it is back.',
  edge_locked: 'I cannot help with that right now. Please try again later.',
  frame_malformed: LINK,
  frame_too_large: 'That is too large to be sent over the link to your home box.',
  frame_gap: LINK,
  frame_fenced: LINK,
  version_incompatible:
    'Edge and home run different versions, so I cannot reach your private data. Update both.',
  version_downgraded:
    'One side of the link to your home box runs an older version than before, so I do not use it. Update it again.',
  edge_not_pinned:
    'That edge could not prove that it is the one home was paired with, so home sends it nothing. If you set it up anew, pair again with `pfar pair`.',
  hello_overdue: LINK,
  piece_overdue: LINK,
  pairing_refused:
    'That code could not be used: it is wrong, has expired, was used, or was tried too often. Get a new one.',
  device_revoked: 'This device is no longer allowed here. Pair it again with a new code.',
  record_malformed: STORAGE,
  record_stale: STORAGE,
  record_unreadable: STORAGE,
  delivery_expired: 'This was told earlier and is no longer kept here.',
  delivery_overdue: 'The chat could not be reached for a whole day. Please ask again.',
  outbox_full: 'Too much waits already for a chat that cannot be reached. Please ask again once it can.',
  storage_failed: 'I could not save that: the disk may be full or damaged. Look at it, then ask again.',
  storage_full: 'The disk is full; nothing was kept. Make room, then ask again.',
  audit_broken:
    'The audit is not what I wrote: a line of it was changed, left out or put in. `pfar audit verify` names the first line; older backups hold the audit as it was.',
  backup_failed:
    'The backup did not work. Older backups are untouched. `pfar backup now` tries again and says what is wrong.',
  backup_missed:
    'No backup was made for more than a day. I make one as soon as I can; `pfar backup list` shows what there is.',
  edge_backup_failed:
    'Home was backed up, but what the edge holds is not in that backup, and I could not get it. `pfar status` says what was the matter; I try again in some hours.',
  edge_not_empty:
    'The edge holds something already. A backup of an edge goes into an empty one, before the first message.',
  edge_updated: 'I run a new version now. If you were waiting for anything, just ask again.',
  copy_incomplete:
    'A copy of home did not reach the edge whole, so it does not count. The one before it stays; home sends it again.',
  home_absent:
    'Your home box has not been in touch for more than twelve hours. Please see whether it runs; `pfar status` there says more.',
  home_newer:
    'Your home box runs a newer version than I do, so I cannot reach it. Until I am updated too, I answer without your private data.',
  home_older:
    'Your home box runs an older version than I do, so I cannot reach it. Until it is updated too, I answer without your private data.',
  home_replaced:
    'A new home box was set up with the recovery phrase, and the one before it was shut out. If that was not you, someone has your phrase: lock me with `pfar lock --line open`.',
  strangers_wrote:
    'I said nothing to them, and kept nothing of what they wrote. To let somebody in, run `pfar people invite --name NAME` at home and send that person the code. The names below are what they call themselves.',
  questions_left_out:
    'I did not put that to you: each of them may ask so many times a day, and only so many questions wait at once. They were told that I cannot ask now. The names below are what they call themselves.',
  channel_failing:
    'Messages that you write to me there may not reach me: for some time the service has been unable to bring them, or has not accepted my access. Please write to me on another line. At home, `pfar channel connect` sets it up anew.',
  principal_forgotten:
    'That belonged to someone whose data was deleted for good, so it cannot be read any more.',
  key_wrong: 'The master key does not fit what is stored. `pfar key status` says more.',
  key_unavailable: 'The master key cannot be reached. `pfar key status` says more.',
  key_development:
    'The master key is still the development key, which lies in plain beside the data. Run `pfar key init` first.',
  task_unknown: 'I do not know that task.',
  task_stopped: 'Stopped.',
  task_already_answering: 'Too late to stop that: its answer is on its way, or you have it already.',
  task_stuck: 'That got stuck, so I ended it. Please ask again.',
  internal_fault: OUR_FAULT,
})

/** A sentence for a person. */
export function wordsFor(code: ReasonCode): string {
  return WORDS[code]
}

/** Sentences that mention the owner's machines, lines or commands, which only the owner may see. */
const HIS_OWN = /`|\bhome\b|private (?:data|line)|phrase|connected|start-up|you allow me/i
const NOT_NOW = 'I cannot look that up at the moment. Please try again later.'

/** For anybody but the owner: omits how the owner's system is set up. */
export function wordsForOthers(code: ReasonCode): string {
  const sentences = WORDS[code].split(/(?<=[.?]) /)
  return sentences.filter((sentence) => !HIS_OWN.test(sentence)).join(' ') || NOT_NOW
}

/** The last line of an approval card: why the owner is asked. */
export function questionFor(code: ReasonCode): string {
  switch (code) {
    case 'write_raw':
      return 'I ask because part of this was written by someone else.'
    case 'write_free_text':
      return 'I ask because this carries text that is not only yours.'
    case 'write_unknown_destination':
      return 'I ask because you did not give me this address yourself.'
    case 'disclosure_asks':
      return 'I ask because a service of others will read these words.'
    case 'write_down':
    case 'sink_unknown':
    case 'compartment_missing':
    case 'sink_not_in_allow_list':
      return 'I ask because others than you will be able to read this.'
    default:
      return 'I ask before I change anything.'
  }
}

/** Last line of a card shared by several equal requests. */
export function sameRequests(count: number, all: string, one: string): string {
  return `${count} requests ask for exactly this. Yes to ${all} lets each run once, ${count} times in all; yes to ${one} lets one run.`
}

/** Questions of background work in one message, each with its own answer. */
export function bundleOf(cards: readonly { readonly card: string; readonly id: string }[]): string {
  const many = cards.length === 1 ? 'One question' : `${cards.length} questions`
  return [
    `${many} from work in the background. None is done without your yes; \`pfar deny all\` says no to all that waits.`,
    ...cards.map(
      ({ card, id }, at) => `${at + 1}. ${card}\n   Yes: pfar approve ${id}   No: pfar deny ${id}`,
    ),
  ].join('\n\n')
}
