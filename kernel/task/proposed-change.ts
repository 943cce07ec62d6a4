/**
 * The changes of the owner's rules that a card may propose, one variant each. Types
 * only. Must not apply a change; features/approvals/change.ts does. Part of an approval.
 */

import type { NamedWriter } from '../features/jobs/named-writer.ts'
import type { JobPage } from '../features/jobs/page.ts'
import type { JobReach } from '../features/jobs/reach.ts'
import type { JobRepeat } from '../features/reminders/repeat.ts'
import type { AppendGrant, CloudGrant, Grant } from '../flow/grant.ts'
import type { LinkedChat } from '../flow/sink.ts'
import type { Plan } from './plan.ts'

/** One change of the owner's rules. A new variant needs a case in `applyChange` (features/approvals/change.ts). */
export type ProposedChange =
  | { readonly do: 'grant'; readonly grant: Grant }
  /** Two principals are one person, proved in these chats (F-15). */
  | { readonly do: 'link'; readonly link: string; readonly ends: readonly [LinkedChat, LinkedChat] }
  /** A person who enters the code before `openUntil` may start these templates until `expiresAt` (B-04). Epoch milliseconds. */
  | {
      readonly do: 'pair'
      readonly agreement: string
      /** More agreements of the same card, with the same terms; absent for none. */
      readonly others?: readonly string[]
      readonly templates: readonly string[]
      readonly openUntil: number
      readonly expiresAt: number
    }
  /**
   * The owner's answer to a question is sent to its asker, once. The question waits in the owner's own namespace. Changes
   * no rule.
   */
  | { readonly do: 'word'; readonly asker: string; readonly question: string }
  /** One of the owner's chats is disconnected. Narrows. */
  | { readonly do: 'leave'; readonly channel: string }
  /** While home is offline, the owner's messages at the edge are answered there. Changes no rule. */
  | { readonly do: 'here' }
  /** A job is turned on as its card showed it; the digest is that of plan, words, template and chat. */
  | {
      readonly do: 'job'
      readonly job: string
      readonly digest: string
      readonly repeat: JobRepeat
      readonly zone: string
      /** Another chat for a running job; the digest is that of the job with this chat. */
      readonly sink?: string
      /**
       * Other times for a running job, and its number of messages per day at these
       * times; the digest is that of the job with both.
       */
      readonly messages?: number
      /**
       * Whether the job sends nothing when it finds nothing, and its number of messages
       * per day; the digest is that of the job with both.
       */
      readonly quiet?: { readonly is: boolean; readonly messages: number }
      /** For a job that an update stopped: what its tools may reach now. */
      readonly reach?: JobReach
      /** Together with `reach`: another model that words the job's text. */
      readonly writer?: NamedWriter
      /** A company's model may read what this job reads, and nothing else. */
      readonly cloud?: CloudGrant
      /** Another plan, from the job's file; the digest is that of the job with this plan and without a page. */
      readonly form?: { readonly plan: Plan; readonly reach: JobReach }
      /** A page that the job writes to as well, and the grant for it; the digest is that of the job with this page. */
      readonly page?: { readonly on: JobPage; readonly reach: JobReach; readonly grant: AppendGrant }
    }
  /** A remembered fact takes the place of another, by their ids. Changes no rule. */
  | { readonly do: 'fact'; readonly old: string; readonly by: string }
  /** Everything about a topic is forgotten: remembered entries, by their ids. Changes no rule. */
  | { readonly do: 'forget'; readonly entries: readonly string[] }
  /** Which model is asked first, in the form of `choiceWords`. No model may read more than before. */
  | { readonly do: 'model'; readonly choice: string }
  /** A host or a saved request is named. Home stores it under this digest; `id` reveals nothing of it. */
  | {
      readonly do: 'webservice'
      readonly of: 'host' | 'request'
      readonly id: string
      readonly digest: string
    }
  /** A connected service that was switched off is used again. */
  | { readonly do: 'tool'; readonly service: string }
  /** Kinds of request of other people that were switched off are answered again; ids of templates. */
  | { readonly do: 'template'; readonly templates: readonly string[] }
  /** The credential of a connected service is deleted. Narrows. */
  | { readonly do: 'disconnect'; readonly service: string }
  | TranscriptChange
  | DirectiveChange

/** The transcript of a task's recording, identified by its digest, counts as the owner's message. Changes no rule. */
export type TranscriptChange = { readonly do: 'heard'; readonly task: string; readonly said: string }

/** A sealed draft replaces one version of a directive file, both by id (O-09). */
export type DirectiveChange = {
  readonly do: 'brain'
  readonly file: string
  readonly draft: string
  /** The version that the card was made against. */
  readonly replaces: number
}
