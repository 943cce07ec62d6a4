/**
 * Questions from other people to the owner (F-02, F-18). The asker's object limits and sends them; the owner's object queues the
 * owner's answer until the asker's has it. Must not store what anybody wrote. Called by PrincipalObject.
 */

import type {
  OwnerAnswer,
  OwnerQuestion,
  OwnerServicePort,
} from '../../kernel/features/owner-question/owner-service-port.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { strangerCalled } from '../../kernel/wording/strangers.ts'
import { OPEN_LINE } from '../directory.ts'
import { KERNEL_NAME, objectName } from '../names.ts'
import type { EdgeEnv, EdgeSettings, KernelCalls } from '../platform/env.ts'
import type { MetStranger } from '../registry/strangers.ts'
import { createBox } from '../sealed-outbox.ts'

/** Questions of one person that reach the owner in a day; further ones are counted in the owner's digest. */
export const MOST_A_DAY = 3
/** Milliseconds in a day. */
const DAY = 86_400_000
/** Milliseconds until a failed delivery of an answer is retried. */
const TELL_AGAIN = 30_000

/** Name of the last sender in this object, sealed. */
const CALLED = 'asks-called'
/** Ids of the questions sent, and when. */
const ASKED = 'asks'
/** Key prefix in the owner's object, by id of a question: the owner's answer. */
const GIVEN = 'word:'

export interface OwnerService extends OwnerServicePort {
  /** Queues the owner's answer, within the transaction that records it. */
  queueAnswer(word: OwnerAnswer): void
  /** Delivers queued answers to the askers' objects. Returns when to retry (epoch ms), null when none is left. Never throws. */
  deliverAnswers(): Promise<number | null>
}

export interface OwnerServiceInput {
  readonly kv: Pick<SyncKvStorage, 'get' | 'put' | 'delete' | 'list'>
  readonly env: Pick<EdgeEnv, 'PRINCIPALS'> & { readonly KERNEL: KernelCalls<'met'> }
  readonly settings: Pick<EdgeSettings, 'nameKey' | 'sealKey'>
  /** Principal of this object; undefined until it is known. */
  readonly principal: () => string | undefined
  /** Name of this object: a keyed hash. */
  readonly name: () => string
}

interface Asked {
  readonly id: string
  readonly at: number
}

export function createOwnerService({ kv, env, settings, principal, name }: OwnerServiceInput): OwnerService {
  const { nameKey } = settings
  const box = () => createBox(settings.sealKey, 'pfar:asker')
  const objectOf = (whose: string) => env.PRINCIPALS.getByName(objectName(nameKey, whose))
  const called = (): string => {
    const sealed = kv.get<string>(CALLED)
    return sealed === undefined ? 'Somebody' : String(box().open('called', sealed))
  }
  const today = (): readonly Asked[] =>
    (kv.get<readonly Asked[]>(ASKED) ?? []).filter(({ at }) => at > Date.now() - DAY)
  /** Counts the question in the daily digest instead of asking. If this fails, the count is one too low. */
  const count = async (): Promise<void> => {
    const who: MetStranger = {
      principal: principal() ?? '',
      name: name(),
      called: called(),
      leftOut: 0,
      asked: true,
    }
    await env.KERNEL.getByName(KERNEL_NAME)
      .met(who)
      .catch(() => undefined)
  }
  // Name that this object has stored since it woke: writing the same name for each message would cost a row and a seal each time.
  let stored: string | null = null
  return {
    sink: OPEN_LINE.sink,
    recordSender(source) {
      const now = strangerCalled(source)
      if (now !== stored) kv.put(CALLED, box().seal('called', now))
      stored = now
    },
    async admits() {
      if (today().length < MOST_A_DAY) return ok(true)
      await count()
      return err('grant_budget_spent')
    },
    async put(question) {
      const ask: OwnerQuestion = { ...question, called: called() }
      const put = await objectOf(OWNER_PRINCIPAL)
        .word(OWNER_PRINCIPAL, { ask })
        .catch(() => err('remote_unavailable'))
      if (!put.ok && put.reason.code === 'approvals_many') await count()
      // A locked edge counts as unavailable, because it will be unlocked later.
      if (!put.ok) return put.reason.code === 'approvals_many' ? put : err('remote_unavailable')
      const { id } = question
      kv.put(ASKED, [...today().filter((one) => one.id !== id), { id, at: Date.now() }])
      return put
    },
    queueAnswer: (word) => kv.put(GIVEN + word.id, word),
    async deliverAnswers() {
      let left = false
      for (const [key, word] of [...kv.list<OwnerAnswer>({ prefix: GIVEN })]) {
        const delivered = await objectOf(word.asker)
          .word(word.asker, { given: word })
          .catch(() => err('remote_unavailable'))
        const again = !delivered.ok && AGAIN.includes(delivered.reason.code)
        if (!again) kv.delete(key)
        left ||= again
      }
      return left ? Date.now() + TELL_AGAIN : null
    },
  }
}

/** Refusals after which the delivery is retried. */
const AGAIN: readonly string[] = ['remote_unavailable', 'edge_locked', 'storage_failed', 'storage_full']
