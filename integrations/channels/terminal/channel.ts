/**
 * Declaration of the owner's terminal: no service, no credential, nothing to configure. Whoever can open home's socket is the
 * owner. Called by both places.
 */
import type { ChannelDeclaration } from '../runtime/declaration.ts'

/** Name of the adapter in sources, sinks and templates. */
const TERMINAL = 'terminal'

/** The user of home's socket, as event sources name it. */
export const TERMINAL_OWNER = `${TERMINAL}:local`

/** Chat that the owner's terminal reads. */
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
