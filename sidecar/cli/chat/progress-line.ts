/**
 * The line that shows how long a request has been running, and the moment to mention that it takes unusually long. Must not query
 * the place. Called by chat.ts.
 */
import type { Prompt } from '../prompt.ts'
import { renderProgress } from './render.ts'
import type { Screen } from './screen.ts'

/** Milliseconds after which the owner is told how to stop a request: longer than a local model takes to load. */
const SLOW_AFTER = 15_000

interface Showing {
  readonly prompt: Prompt | null
  /** Tasks without an answer yet, and since when (epoch milliseconds). */
  readonly open: ReadonlyMap<string, number>
}

export interface Progress {
  /** Draws the line, which disappears as soon as the owner types. Returns a task that has become slow, once. */
  show(showing: Showing): string | null
}

export function createProgress(
  { screen }: { readonly screen: Screen },
  now: () => number = Date.now,
): Progress {
  const told = new Set<string>()
  let spinning = false
  return {
    show({ prompt, open }) {
      const [oldest] = open
      const room = prompt?.idle() ?? false
      if (oldest !== undefined && room) screen.progress(renderProgress(now() - oldest[1]))
      else if (spinning && !room) {
        screen.progress('')
        prompt?.show()
      }
      spinning = oldest !== undefined && room
      if (oldest === undefined || told.has(oldest[0]) || now() - oldest[1] < SLOW_AFTER) return null
      told.add(oldest[0])
      return oldest[0]
    },
  }
}
