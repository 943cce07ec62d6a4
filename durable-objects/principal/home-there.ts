/**
 * Whether home is there, for this object: asked of the tunnel's, and believed for as long as that one vouches for it. It says at once
 * when this changes, to all who were told and may still believe it; so nothing here is looser than what the tunnel itself knows. Must
 * not outlive a forward that failed. Called by powers.ts and PrincipalObject.
 */
import type { HomeThereFor } from '../tunnel/presence.ts'

export interface HomeThereNow {
  up(): Promise<boolean>
  /** What was heard is no longer believed. */
  changed(): void
}

interface HomeThereInput {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly ask: () => Promise<Pick<HomeThereFor, 'up'> & Partial<HomeThereFor>>
  readonly heard: (up: boolean, here: boolean) => void
}

export function createHomeThere({ now, ask, heard }: HomeThereInput): HomeThereNow {
  let known: { readonly up: boolean; readonly until: number } | null = null
  let asking: Promise<boolean> | null = null
  /** An answer that was under way when it changed is of no use for the next question. */
  let changes = 0
  const fetch = async (): Promise<boolean> => {
    const [before, at] = [changes, now()]
    const { up, ms = 0, here = up } = await ask()
    if (changes === before) known = { up, until: at + ms }
    if (changes === before) heard(up, here)
    return up
  }
  return {
    async up() {
      if (known !== null && now() < known.until) return known.up
      asking ??= fetch().finally(() => {
        asking = null
      })
      return asking.catch(() => false)
    },
    changed() {
      changes += 1
      known = null
      asking = null
    },
  }
}
