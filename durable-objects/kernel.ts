/**
 * KernelObject: the edge's cached copy of what home decides (DESIGN §1): the owner's profile, and whether the edge is
 * locked (T-10), with the names of all objects that must know. Home is the authority; nothing here outranks it. Written
 * by TunnelObject and the open line, read by PrincipalObjects.
 */
import { DurableObject } from 'cloudflare:workers'
import { allowed, type Result, refused } from '../kernel/flow/verdict.ts'
import type { EdgeEnv } from '../worker/env.ts'
import { TUNNEL_NAME } from './names.ts'

/** What of the owner's own facts the edge is cleared for. Contacts are above `internal` and stay at home. */
export interface EdgeProfile {
  readonly timezone: string
}

const PROFILE = 'profile'
const LOCKED = 'locked'
const OBJECT = 'object:'

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

  /** Notes an object, by its name, which is a keyed hash; answers whether the edge is locked. */
  async join(name: string): Promise<boolean> {
    this.ctx.storage.kv.put(OBJECT + name, true)
    return this.ctx.storage.kv.get<boolean>(LOCKED) === true
  }

  /**
   * Durable here first, so that whoever joins meanwhile learns it, then at every object. Throws when one could not be
   * told: who asked then asks again, and telling twice is telling once.
   */
  async setLocked(locked: boolean): Promise<Result<true>> {
    const { kv } = this.ctx.storage
    kv.put(LOCKED, locked)
    await this.env.TUNNEL.getByName(TUNNEL_NAME).setLocked(locked)
    for (const [key] of [...kv.list({ prefix: OBJECT })]) {
      const name = key.slice(OBJECT.length)
      // A locked object restarts, which its caller sees as an error: what counts is what the next instance says.
      await this.env.PRINCIPALS.getByName(name)
        .setLocked(locked)
        .catch(() => undefined)
      if ((await this.env.PRINCIPALS.getByName(name).locked()) !== locked)
        throw new Error('an object could not be told')
    }
    return allowed(true)
  }
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
