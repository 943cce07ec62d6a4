/**
 * Words for the owner when a credential is requested, and about its result (L-12, L-16, L-18). Kernel words and
 * manifest words only; nothing quotes a model, another person or a value. Called by ask-credential.ts,
 * own-commands.ts and credentials.ts.
 */
import type { Place } from '../../flow/place.ts'
import type { CredentialNeed } from '../../tool/connect.ts'
import type { OneTimePage } from './credential-port.ts'

/** Milliseconds. */
const MINUTE = 60_000

export interface PromptInput {
  /** What it is needed for, in the action's description; null when the owner asked to connect the service. */
  readonly why: string | null
  /** Milliseconds. */
  readonly wait: number
  readonly place: Place
  readonly page: OneTimePage | null
}

export function promptText(need: CredentialNeed, { why, wait, place, page }: PromptInput): string {
  const { title, where } = need
  return [
    why === null
      ? `To connect ${title}, I need your access to it.`
      : `I need your access to ${title} first: ${why}`,
    where,
    `Best type it at home, where nobody else sees it: ${connectCommand(need)}`,
    ...(page === null ? [] : [pageText(page)]),
    `Or send it here as a message of its own. ${TAKEN[place]} No model sees it, and I delete your message where this chat lets me.`,
    `I wait ${Math.round(wait / MINUTE)} minutes; other messages are answered meanwhile. Say "cancel" to leave it.`,
  ].join('\n')
}

/** The key's fingerprint is in the chat as well, so changing only the page would be noticed. */
function pageText({ url, fingerprint }: OneTimePage): string {
  return `Or type it on this page, which seals it for home before it leaves your browser, once: ${url}\nThe page must show this key of home, as \`pfar status\` does: ${fingerprint}`
}

/** The edge's host could read what passes, so a value given there takes effect only after a confirmation at home. */
const TAKEN: Readonly<Record<Place, string>> = Object.freeze({
  home: 'I take it before anything reads or keeps it.',
  edge: 'This chat and the edge could read it on its way; it is sealed for home at once, and you accept it there.',
})

export function sentText({ title, service }: CredentialNeed): string {
  return `What you sent for ${title} is sealed and on its way home. It is not used before you accept it there: pfar secret accept ${service}`
}

/** Part of each question, so that a reply to its message can be recognised. */
export function connectCommand({ service }: CredentialNeed): string {
  return `pfar connect ${service}`
}

export function connectedText({ title }: CredentialNeed): string {
  return `${title} is connected.`
}

export function alreadyText({ title, service }: CredentialNeed): string {
  return `${title} is connected already. To give me another credential: pfar secret rotate ${service}`
}

/** `left`: remaining attempts. */
export function wrongText({ title }: CredentialNeed, left: number): string {
  const tries = left === 1 ? 'one more try' : `${left} more tries`
  return left === 0
    ? `${title} did not accept that either. Nothing was stored, and I ask no more. Say /connect to begin again.`
    : `${title} did not accept that. Nothing was stored. You have ${tries}: send another one, or say "cancel".`
}

/** The credential could not be verified for another reason, which `sentence` states. */
export function untriedText({ title }: CredentialNeed, sentence: string): string {
  return `I could not try what you sent for ${title}, so nothing was stored. ${sentence}`
}

export function expiredText({ title }: CredentialNeed): string {
  return `Nobody gave me access to ${title} in time, so I stopped waiting for it. Say /connect to begin again.`
}

export function onlyAtHomeText(): string {
  return 'I ask for credentials on your private line alone. Say it there, or at home: pfar connect'
}

/** `chats`: null at a place that has none to offer. */
export function connectHelp(
  needs: readonly CredentialNeed[],
  chats: {
    readonly state: (service: string) => boolean
    readonly lines: readonly string[]
  } | null = null,
): string {
  const names = needs.map(({ service, title }) => {
    const state = chats === null ? '' : chats.state(service) ? ' (connected)' : ' (not connected)'
    return `/connect ${service}: ${title}${state}`
  })
  const lines = [...names, ...(chats?.lines ?? [])]
  return lines.length === 0
    ? 'Nothing that is installed needs a credential.'
    : ['I can connect:', ...lines].join('\n')
}

/** A service is disconnected at the place that stores its credential. */
export function disconnectHelp(needs: readonly CredentialNeed[]): string {
  const names = needs.map(({ service, title }) => `${title}: pfar secret delete ${service}`)
  return [
    'A chat is left by "disconnect" and its name. My access to a service is taken away at home:',
    ...names,
  ].join('\n')
}
