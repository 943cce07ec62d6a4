/**
 * Listens at the inbox while a job waits for mail (RFC 2177, IDLE): one connection, and a notification without content when
 * something arrives. Must not read a mail, keep the password, or stay connected while no job waits. Retries a lost connection
 * with increasing delay; meanwhile the job runs at its scheduled times. Called by home-jobs.ts.
 */
import type { IssuedToken, TokenCustodian } from '../../integrations/channels/runtime/home-package.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { startScheduler } from '../jobs/scheduler.ts'
import { imapOver } from './imap-client.ts'
import { type MailSettings, serverName } from './mail-settings.ts'
import { openTls } from './mail-socket.ts'

/** Milliseconds between two checks whether a job waits for mail. */
const LOOK_EVERY = 20_000
/** Milliseconds of silence after which the connection is tested. */
const SILENCE = 240_000
/** First and longest delay before a lost connection is retried, milliseconds. */
const FIRST_WAIT = 30_000
const LONGEST_WAIT = 1_800_000
/** Milliseconds that a connection must last to reset the delay. */
const HELD_LONG = 300_000
/** Least milliseconds between two IDLE commands: a server that ends each at once must not keep home busy. */
const BETWEEN = 1_000
/**
 * Milliseconds within which notifications are merged: several mails arrive at once, and a server may send a hundred notifications
 * a second.
 */
const TOGETHER = 1_000

export interface MailWatchInput {
  readonly settings: MailSettings
  /** Issues the account's password. */
  readonly custodian: Pick<TokenCustodian, 'issue'>
  /** Version of the stored password; null: there is none. */
  readonly version: () => number | null
  readonly isWanted: () => boolean
  /** Called when mail may have arrived. */
  readonly noticed: () => void
  readonly now: () => number
  readonly fault: () => void
  /** Milliseconds, for tests. */
  readonly lookEvery?: number
  readonly firstWait?: number
}

export interface MailWatch {
  /** `off`: no job waits for mail. */
  state(): 'off' | 'connecting' | 'listening' | 'lost'
  look(): void
  stop(): Promise<void>
}

interface Connection {
  readonly version: number | null
  readonly since: number
  listens: boolean
  readonly close: () => void
  readonly ended: Promise<void>
}

export function startMailWatch(input: MailWatchInput): MailWatch {
  const { isWanted, version, noticed, now, fault, lookEvery = LOOK_EVERY, firstWait = FIRST_WAIT } = input
  let connection: Connection | null = null
  let wait = firstWait
  let again = 0
  let wasLost = false

  const lost = (held: Connection): void => {
    if (connection !== held) return
    connection = null
    wasLost = true
    if (now() - held.since >= HELD_LONG) wait = firstWait
    again = now() + wait
    wait = Math.min(LONGEST_WAIT, wait * 2)
  }
  const leave = async (): Promise<void> => {
    const held = connection
    connection = null
    held?.close()
    await held?.ended
  }
  const tick = async (): Promise<number> => {
    if (!isWanted() || version() === null) {
      await leave()
      ;[wait, again, wasLost] = [firstWait, 0, false]
      return now() + lookEvery
    }
    if (connection !== null && connection.version !== version()) {
      await leave()
      again = 0
    }
    if (connection === null && now() >= again) {
      const made = listen(input, (held) => {
        held.listens = true
        // Mail that arrived while the connection was lost caused no notification.
        if (wasLost) noticed()
        wasLost = false
      })
      connection = made
      void made.ended.then(() => lost(made))
    }
    return now() + lookEvery
  }
  const scheduler = startScheduler({ tick, now, fault })
  return {
    state: () =>
      connection === null
        ? wasLost
          ? 'lost'
          : 'off'
        : connection.listens
          ? 'listening'
          : wasLost
            ? 'lost'
            : 'connecting',
    look: () => scheduler.wake(),
    async stop() {
      await scheduler.stop()
      await leave()
    },
  }
}

/** Merges notifications within a second into one call. */
function together(noticed: () => void): () => void {
  let isComing = false
  return () => {
    if (isComing) return
    isComing = true
    setTimeout(() => {
      isComing = false
      noticed()
    }, TOGETHER).unref()
  }
}

/** Connects at once. `ended` resolves when the connection ends for any reason, and never rejects. */
function listen(input: MailWatchInput, ready: (held: Connection) => void): Connection {
  let isOver = false
  let stop = (): void => undefined
  const close = (): void => {
    isOver = true
    stop()
  }
  const held: Connection = {
    ...{ version: input.version(), since: input.now(), listens: false, close },
    ended: begin(),
  }
  async function begin(): Promise<void> {
    await Promise.resolve()
    const { settings, custodian, noticed } = input
    try {
      const issued: Result<IssuedToken> = await custodian.issue({
        ...{ host: serverName(settings.imap), fits: () => true, rule: 'kind' },
      })
      if (!issued.ok || isOver) return
      const opened = await openTls(settings.imap, settings.own)
      if (!opened.ok) return
      const socket = opened.value
      stop = () => socket.destroy()
      const credential = { scheme: 'bearer', value: issued.value.value } as const
      const client = await imapOver(settings, credential, { socket, silence: SILENCE })
      stop = () => {
        client.close()
        socket.destroy()
      }
      if (isOver) return
      await client.connect()
      await client.mailboxOpen('INBOX', { readOnly: true })
      client.on('exists', together(noticed))
      ready(held)
      while (!isOver && client.usable) {
        await client.idle()
        await new Promise((resolve) => setTimeout(resolve, BETWEEN).unref())
      }
    } catch {
      // Any error ends the connection; its text is dropped, because it may quote the account.
    } finally {
      stop()
    }
  }
  return held
}
