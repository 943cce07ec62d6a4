/**
 * Why home receives nothing from its Slack app, in a sentence for the owner (H-05). Must not quote Slack's answer. Called by
 * home-line.ts and by `pfar channel connect`.
 */
import type { Refusal } from '../../../kernel/flow/verdict.ts'
import { wordsFor } from '../../../kernel/wording/words.ts'
import { SWITCHED_OFF } from './home-socket.ts'

const SENTENCES: Readonly<Record<string, string>> = {
  [SWITCHED_OFF]: 'Socket Mode is switched off for that app. It is a switch in the settings of the app.',
  scope:
    'Slack does not let the app do that. Its own token needs connections:write; its bot needs chat:write and im:history, and the app must be installed again after a change.',
  chat: 'Slack does not know that chat for this app. `pfar channel disconnect slack`, then `pfar channel connect slack`, finds it anew.',
}

/** Whether the fault needs the owner: a retry will not help. */
export function isSetUpWrongly({ code, facts }: Refusal): boolean {
  return code === 'credential_mismatch' || (code === 'remote_rejected' && String(facts['why']) in SENTENCES)
}

export function slackTroubleWords(trouble: Refusal): string {
  const own = trouble.code === 'remote_rejected' ? SENTENCES[String(trouble.facts['why'])] : undefined
  return own ?? wordsFor(trouble.code)
}
