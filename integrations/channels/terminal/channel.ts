/** The owner's terminal as data: no service, no credential, nothing to configure. Whoever opens home's socket is the owner. Called by both places. */
import type { ChannelDeclaration } from '../runtime/declaration.ts'

/** Name of the adapter in sources, sinks and templates. */
const TERMINAL = 'terminal'

/** Whoever opens home's socket, as sources name him. */
export const TERMINAL_OWNER = `${TERMINAL}:local`

/** Where the owner's terminal reads from. */
export const TERMINAL_CHAT = Object.freeze({ chat: 'owner', sink: `sink:${TERMINAL}:owner` })

export const TERMINAL_CHANNEL: ChannelDeclaration = Object.freeze({
  name: TERMINAL,
  title: 'the terminal',
  means: '',
  origin: null,
  fetches: false,
  home: TERMINAL_CHAT,
  edge: null,
  settings: null,
  needs: [],
  prove: '',
})
