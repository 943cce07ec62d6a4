/**
 * Listens at the inbox while a job waits for mail (RFC 2177, IDLE): one connection, and a notice without content for whatever comes. Must not read a mail,
 * keep the password, or stay connected while nothing waits. A connection that is lost is made again, later each time; until then the job comes at its
 * times. Called by home-jobs.ts.
 */
import type { IssuedToken, TokenCustodian } from '../../integrations/channels/runtime/home-package.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { startScheduler } from '../jobs/scheduler.ts'
import { imapOver } from './imap-client.ts'
import { type MailSettings, serverName } from './mail-settings.ts'
import { openTls } from './mail-socket.ts'

/** Milliseconds between two looks whether anything waits for mail. */
const LOOK_EVERY = 20_000
/** Milliseconds of silence after which the server is asked whether it is still there. */
const SILENCE = 240_000
/** Milliseconds until a lost connection is made again: the first time, and at the most. */
const FIRST_WAIT = 30_000
const LONGEST_WAIT = 1_800_000
/** Milliseconds for which a connection must have held, so that the next wait is the first one again. */
const HELD_LONG = 300_000
/** Milliseconds between two IDLE: a server that ends each at once must not keep home busy. */
const BETWEEN = 1_000
/** Milliseconds in which notices are one: mails come several at once, and a server may send a hundred a second. */
const TOGETHER = 1_000

export interface MailWatchInput {
  readonly settings: MailSettings
  /** Of the account's password. */
  readonly custodian: Pick<TokenCustodian, 'issue'>
  /** Version of the password that is stored; null: there is none. */
  readonly version: () => number | null
  readonly isWanted: () => boolean
  /** Something may have come. */
  readonly noticed: () => void
  readonly now: () => number
  readonly fault: () => void
  /** Milliseconds, for tests. */
  readonly lookEvery?: number
  readonly firstWait?: number
}

export interface MailWatch {
  /** `off`: nothing waits for mail. */
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
        // What came while nobody listened was not noticed.
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

/** One call for what comes within a second. */
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

/** Begins at once; `ended` comes with the end of the connection, whatever ended it, and never rejects. */
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
      // Whatever it was, the connection is over; its words may quote the account.
    } finally {
      stop()
    }
  }
  return held
}
