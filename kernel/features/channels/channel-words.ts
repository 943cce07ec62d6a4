/**
 * What the owner is told while one of their chats is activated or disconnected (H-13, L-11). Kernel words and adapter
 * words. Called by channels.ts and activation.ts.
 */
import type { ChannelAdapter } from '../../tool/channel.ts'

/** Milliseconds. */
const MINUTE = 60_000

export interface ProveInput {
  /** Account name at the service. */
  readonly account: string
  readonly code: string
  /** Milliseconds. */
  readonly wait: number
}

export function proveText({ title, prove }: ChannelAdapter, { account, code, wait }: ProveInput): string {
  return [
    `${title} took that: it opens ${account}. It lies sealed in the vault of your home.`,
    `${prove} ${account}: ${code}`,
    `That shows me which account there is yours; nobody else is heard. I wait ${Math.round(wait / MINUTE)} minutes. Say "cancel" to leave it, and I forget what you gave me.`,
  ].join('\n')
}

export function waitsText({ title, prove }: ChannelAdapter, code: string): string {
  return `${title} waits for you to show that it is yours. ${prove} the account whose token you gave me: ${code}`
}

export function givenText({ title }: ChannelAdapter): string {
  return `I have what ${title} needs from you, and look whether it works.`
}

export function activeText({ title, name }: ChannelAdapter, account: string): string {
  return `${title} is active: I listen to ${account} from now on, and it stays so after a restart. What you write there is answered by your home, and whatever changes something still asks you first. "disconnect ${name}" ends it.`
}

/** Sent to the chat itself, since the owner has just sent a code there and waits for a reply. */
export function welcomeText({ title }: Pick<ChannelAdapter, 'title'>): string {
  return `You are connected: this chat at ${title} is your private line to your home now. Write here what you would like; /help lists what you can say.`
}

/** The same when a command at home creates the chat, which takes longer. */
export const CODE_HEARD =
  'That is the right code, and this chat is yours. I am being connected: your terminal shows how far that is, and I say so here when it is done.'
export const CONNECTED_TO_EDGE =
  'You are connected: I read what you write here from now on. Write what you would like; /help lists what you can say.'
export const CONNECTED_TO_HOME =
  'You are connected: this chat is your private line to your home, which listens here while it runs. Write what you would like; /help lists what you can say.'
export const NOT_CONNECTED =
  'That did not work: I am not connected here. Your terminal says why, and what you can do.'

export function activeAlready(adapter: ChannelAdapter): string {
  const { title, name } = adapter
  return `${title} is active already. For another token: ${rotating(adapter)}. To leave it: disconnect ${name}`
}

/** Sent in a chat of the edge, which may be at the same service. */
export function activeAtHome(adapter: ChannelAdapter): string {
  const { title, name } = adapter
  return `${title} is connected already: your home listens there, as your private line, apart from this chat. At home, for another token: ${rotating(adapter)}. To leave it, say there: disconnect ${name}`
}

function rotating({ needs }: ChannelAdapter): string {
  return needs.map(({ service }) => `pfar secret rotate ${service}`).join(', ')
}

export function notActive({ title, name }: ChannelAdapter): string {
  return `${title} is not active. "connect ${name}" activates it.`
}

export function noAdapter(title: string): string {
  return `I have no adapter for ${title}, so I cannot be reached there.`
}

export function askedElsewhere(title: string): string {
  return `${title} is being connected already, from another chat of yours: go on there, or say "cancel" there.`
}

export function failedText({ title, name }: ChannelAdapter, sentence: string): string {
  return `${title} is not active, and I kept nothing of what you gave me. ${sentence} Say "connect ${name}" to begin again.`
}

export function lateText({ title, name }: ChannelAdapter): string {
  return `Nobody sent the code, so ${title} is not active, and I forgot what you gave me for it. Say "connect ${name}" to begin again.`
}

export function leaveCard({ title, name }: ChannelAdapter): string {
  return [
    `Shall I leave ${title}?`,
    'I listen there no more, and forget the token that you gave me. What stands in that chat stays there.',
    `Until you say yes nothing changes; "connect ${name}" begins anew.`,
  ].join('\n')
}

export const LEAVE_ASKED = 'I ask you first, on a card of its own.'
export const LEFT_AT_HOME = 'Say that on a line of your home: its chats are not the edge’s to leave.'

export function leftText({ title, name }: ChannelAdapter, byHand: string | null): string {
  const rest = byHand === null ? '' : ` One thing is left for you: ${byHand}`
  return `${title} is not active any more, and its token is forgotten. "connect ${name}" begins anew.${rest}`
}

/** `active`: null when this place does not know. */
export function channelLine({ name, title }: ChannelAdapter, active: boolean | null): string {
  const state = active === null ? '' : active ? ' (active)' : ' (not active)'
  return `/connect ${name}: ${title}${state}`
}
