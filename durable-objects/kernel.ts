/**
 * KernelObject: the edge's cached copy of what home decides (DESIGN §1): for now the owner's profile. Home is the
 * authority; nothing here outranks it. Written by TunnelObject, read by PrincipalObjects once per wake.
 */
import { DurableObject } from 'cloudflare:workers'
import { allowed, type Result, refused } from '../kernel/flow/verdict.ts'
import type { EdgeEnv } from '../worker/env.ts'

/** What of the owner's own facts the edge is cleared for. Contacts are above `internal` and stay at home. */
export interface EdgeProfile {
  readonly timezone: string
}

const PROFILE = 'profile'

export class KernelObject extends DurableObject<EdgeEnv> {
  /** Refusal: config_malformed for a zone that this platform does not know: every date would be wrong. */
  async setProfile(profile: EdgeProfile): Promise<Result<true>> {
    if (!isTimezone(profile.timezone)) return refused('config_malformed', { field: 'timezone' })
    this.ctx.storage.kv.put(PROFILE, { timezone: profile.timezone })
    return allowed(true)
  }

  /** Null until home has pushed one. */
  async profile(): Promise<EdgeProfile | null> {
    return this.ctx.storage.kv.get<EdgeProfile>(PROFILE) ?? null
  }
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
