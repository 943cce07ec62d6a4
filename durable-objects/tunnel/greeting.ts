/**
 * Data of the edge's hello besides the counters: the pause that was set here, and the links that the owner ended here. Must not
 * send. Called by TunnelObject.
 */
import type { PauseCommand } from '../../kernel/task/pause.ts'

/** The pause that was set at the edge. */
const PAUSE_WORD = 'pause-word'
/** Ids of links that the owner ended at the edge. */
const UNLINKED = 'unlinked'

export function createGreeting(kv: SyncKvStorage) {
  const unlinked = (): readonly string[] => kv.get<readonly string[]>(UNLINKED) ?? []
  return {
    words() {
      const kept = kv.get<PauseCommand>(PAUSE_WORD) ?? null
      const word = kept === null ? null : { do: kept.do, at: kept.at, sink: kept.sink }
      return { pause: { now: Date.now(), word }, unlinked: unlinked() }
    },
    /** Returns whether a new hello must be sent to home. */
    setPause(word: PauseCommand | null): boolean {
      const before = kv.get<PauseCommand>(PAUSE_WORD)
      if (word === null || (before?.do === word.do && before.at === word.at)) return false
      kv.put(PAUSE_WORD, word)
      return true
    },
    /** The same; an unchanged list is not sent again: home answers it at each hello. */
    setUnlinked(links: readonly string[]): boolean {
      const before = unlinked()
      kv.put(UNLINKED, links)
      return links.some((id) => !before.includes(id))
    },
  }
}
