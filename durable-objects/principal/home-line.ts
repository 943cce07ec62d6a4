/**
 * The link of one principal's object to home: sends calls and memories to TunnelObject, after the turns that are still queued
 * here, and caches whether home is connected. Must not wait for home. Called by PrincipalObject.
 */
import type { TurnsForHome } from '../../kernel/features/memory/turns-home.ts'
import type { HomeLink } from '../../kernel/features/places/home-port.ts'
import { TUNNEL_NAME } from '../names.ts'
import type { EdgeEnv } from '../platform/env.ts'
import type { Gate } from './gate.ts'
import { createHomeTurns, type HomeTurns } from './home-turns.ts'
import { createPresenceCache } from './presence-cache.ts'
import type { EdgeSelf } from './self.ts'

export interface HomeLine {
  readonly link: HomeLink
  readonly turns: HomeTurns
  /** TunnelObject reports that home has connected, or that it may be gone. */
  moved(here: boolean): Promise<void>
}

interface HomeLineInput {
  readonly tunnel: EdgeEnv['TUNNEL']
  readonly self: EdgeSelf
  readonly granted: HomeLink['granted']
  readonly gate: Pick<Gate, 'known' | 'isClosed'>
  /** Available once the object is built. */
  readonly powers: () => TurnsForHome
}

export function createHomeLine({ tunnel, self, granted, gate, powers }: HomeLineInput): HomeLine {
  const object = () => tunnel.getByName(TUNNEL_NAME)
  const there = createPresenceCache({
    now: () => Date.now(),
    ask: () => object().connected(gate.known() ?? ''),
    onAnswer(up, here) {
      self.setHomeUp(up)
      if (!here) turns.away()
    },
  })
  const turns = createHomeTurns({ powers, principal: gate.known, closed: gate.isClosed })
  return {
    turns,
    moved(here) {
      there.changed()
      return here ? turns.greeted() : Promise.resolve()
    },
    link: {
      granted,
      async ask(call) {
        await turns.bring(true)
        const asked = await object().enqueue(call)
        if (!asked.ok) there.changed()
        return asked
      },
      tell: (memory) => object().tell(memory),
      tellTurns: (some, anyway) => object().tellTurns(some, anyway),
      tellCode: (said) => object().tellCode(said),
      unsent: (news) =>
        void object()
          .unsent(news)
          .catch(() => undefined),
      up: there.up,
    },
  }
}
