/**
 * All ports and stores of a place, joined: for the code that builds them and the few root functions that pass them on. Other
 * kernel functions take only the ports that they use (test/ports.test.ts lists the roots). Types only. Called by both places.
 */

import type { OwnStatus } from '../features/admin/port.ts'
import type { ChannelFlows, Channels } from '../features/channels/channel-port.ts'
import type { ContactStore } from '../features/contacts/port.ts'
import type { RetractionStore, WaitingStore } from '../features/deliveries/waiting-port.ts'
import type { ChoreTimes } from '../features/housekeeping/chores.ts'
import type { JobStore } from '../features/jobs/port.ts'
import type { PlanDrafting } from '../features/jobs/requests/drafting-port.ts'
import type { WordedJobs } from '../features/jobs/worded.ts'
import type { Languages } from '../features/language/port.ts'
import type { EntryNumbers, FactStore, Forgetting, MemoryStore } from '../features/memory/port.ts'
import type { AgreementStore } from '../features/people/port.ts'
import type { SettingStore } from '../features/quiet/port.ts'
import type { ReminderStore } from '../features/reminders/port.ts'
import type { UsageStore } from '../features/usage/port.ts'
import type { Webservices } from '../features/webservices/port.ts'
import type {
  Actions,
  AskingTime,
  AtPlace,
  CallBounds,
  Caps,
  ChangeNews,
  ChatServices,
  Clock,
  ContactBooks,
  CostNotes,
  CredentialService,
  DirectiveFiles,
  Documents,
  Extraction,
  Files,
  HistorySpan,
  HomeLine,
  Ids,
  LinkedLines,
  LinkService,
  Looker,
  Metering,
  Models,
  Operations,
  Outgoing,
  OwnerAnswers,
  OwnerChats,
  OwnerFacts,
  OwnerPrompts,
  OwnerService,
  Pausing,
  PlaceStatus,
  PolicySource,
  Principals,
  Redaction,
  Sealing,
  SecretScan,
  SelfKnowledge,
  Strictness,
  Templates,
  Texts,
  TokenKey,
  Tools,
} from './ports.ts'
import type { SealedStore } from './sealed-port.ts'
import type {
  ApprovalStore,
  AuditLog,
  AuditTrail,
  CapabilityUses,
  EventStore,
  GrantStore,
  IdentityLinkStore,
  OutboxStore,
  StoreOf,
  TaskStore,
  Transactions,
  TurnStore,
} from './stores.ts'
import type {
  BlockSource,
  CommandAnswers,
  CommandSense,
  ElseSense,
  NameCorrection,
  ReaderPass,
  TalkSense,
} from './tier-port.ts'

/** A place's durable state. */
export interface Store
  extends Transactions,
    EventStore,
    TaskStore,
    CapabilityUses,
    ApprovalStore,
    GrantStore,
    IdentityLinkStore,
    AuditLog,
    AuditTrail,
    OutboxStore,
    AgreementStore,
    EntryNumbers,
    FactStore,
    Forgetting,
    MemoryStore,
    ReminderStore,
    ContactStore,
    JobStore,
    RetractionStore,
    SealedStore,
    SettingStore,
    TurnStore,
    UsageStore,
    WaitingStore {}

/** All ports of a place, and its store. */
export type Powers = StoreOf<Store> &
  Clock &
  Ids &
  AtPlace &
  PolicySource &
  Principals &
  OwnerFacts &
  ChoreTimes &
  ContactBooks &
  Actions &
  ChatServices &
  Templates &
  Texts &
  Documents &
  Strictness &
  OwnerPrompts &
  SelfKnowledge &
  Models &
  Looker &
  CallBounds &
  Caps &
  CostNotes &
  Metering &
  Extraction &
  Tools &
  Files &
  Outgoing &
  HomeLine &
  LinkedLines &
  ChangeNews &
  DirectiveFiles &
  Sealing &
  TokenKey &
  CredentialService &
  Redaction &
  SecretScan &
  OwnerChats &
  AskingTime &
  HistorySpan &
  Pausing &
  PlaceStatus &
  Operations &
  OwnStatus &
  Languages &
  LinkService &
  OwnerService &
  OwnerAnswers &
  BlockSource &
  ReaderPass &
  CommandSense &
  NameCorrection &
  ElseSense &
  PlanDrafting &
  WordedJobs &
  TalkSense &
  CommandAnswers &
  Channels &
  Webservices &
  ChannelFlows
