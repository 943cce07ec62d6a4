/**
 * List of all operations (DESIGN §9): each becomes a method of home's socket, a route of the edge and a command, and
 * with a slash name a command in the owner's chats. Must not contain an operation's work. Called by call.ts and by
 * every door.
 */

import { aboutAsking } from '../features/about/operations/asking.ts'
import { aboutKnowing } from '../features/about/operations/knows.ts'
import { aboutPlaces } from '../features/about/operations/places.ts'
import { aboutThere } from '../features/about/operations/there.ts'
import { approveCard } from '../features/approvals/operations/approve.ts'
import { denyCard } from '../features/approvals/operations/deny.ts'
import { editCard } from '../features/approvals/operations/edit.ts'
import { leaveRows } from '../features/approvals/operations/leave.ts'
import { listApprovals } from '../features/approvals/operations/list.ts'
import { showApproval } from '../features/approvals/operations/show.ts'
import { whyApproval } from '../features/approvals/operations/why.ts'
import { lastAudit } from '../features/audit/operations/last.ts'
import { recentAudit } from '../features/audit/operations/recent.ts'
import { undoChange } from '../features/changes/operations/undo.ts'
import { showClock } from '../features/clock/operations/show.ts'
import { addContact } from '../features/contacts/operations/add.ts'
import { contactsAt } from '../features/contacts/operations/at.ts'
import { changeContact } from '../features/contacts/operations/change.ts'
import { findContact } from '../features/contacts/operations/find.ts'
import { groupContacts } from '../features/contacts/operations/group.ts'
import { joinGroup } from '../features/contacts/operations/join.ts'
import { leaveGroup } from '../features/contacts/operations/leave.ts'
import { listContacts } from '../features/contacts/operations/list.ts'
import { groupMembers } from '../features/contacts/operations/members.ts'
import { regroupContacts } from '../features/contacts/operations/regroup.ts'
import { removeContact } from '../features/contacts/operations/remove.ts'
import { renameContact } from '../features/contacts/operations/rename.ts'
import { restoreContact } from '../features/contacts/operations/restore.ts'
import { directiveHistory } from '../features/directives/operations/history.ts'
import { listDirectives } from '../features/directives/operations/list.ts'
import { restoreDirective } from '../features/directives/operations/restore.ts'
import { showDirective } from '../features/directives/operations/show.ts'
import { writeDirective } from '../features/directives/operations/write.ts'
import { showFixed } from '../features/fixed/operations/show.ts'
import { allowFreeBusy } from '../features/grants/operations/freebusy.ts'
import { listGrants } from '../features/grants/operations/list.ts'
import { revokeGrant } from '../features/grants/operations/revoke.ts'
import { allowHealth } from '../features/health/operations/allow.ts'
import { forgetHealth } from '../features/health/operations/forget.ts'
import { showHealth } from '../features/health/operations/show.ts'
import { withdrawHealth } from '../features/health/operations/withdraw.ts'
import { setHours } from '../features/hours/operations/set.ts'
import { showHours } from '../features/hours/operations/show.ts'
import { listHousekeeping } from '../features/housekeeping/operations/list.ts'
import { linkIdentities } from '../features/identities/operations/link.ts'
import { listIdentities } from '../features/identities/operations/list.ts'
import { unlinkIdentities } from '../features/identities/operations/unlink.ts'
import { dropJobPage } from '../features/jobs/operations/drop-page.ts'
import { enableJob } from '../features/jobs/operations/enable.ts'
import { formerJob } from '../features/jobs/operations/former.ts'
import { listJobs } from '../features/jobs/operations/list.ts'
import { pauseJob } from '../features/jobs/operations/pause.ts'
import { pauseAllJobs } from '../features/jobs/operations/pause-all.ts'
import { putJobBack } from '../features/jobs/operations/put-back.ts'
import { removeJob } from '../features/jobs/operations/remove.ts'
import { restoreJob } from '../features/jobs/operations/restore.ts'
import { resumeJob } from '../features/jobs/operations/resume.ts'
import { resumeAllJobs } from '../features/jobs/operations/resume-all.ts'
import { runJobNow } from '../features/jobs/operations/run-now.ts'
import { showJobRuns } from '../features/jobs/operations/runs.ts'
import { setJobChat } from '../features/jobs/operations/set-chat.ts'
import { setJobLoud } from '../features/jobs/operations/set-loud.ts'
import { setJobPage } from '../features/jobs/operations/set-page.ts'
import { setJobQuiet } from '../features/jobs/operations/set-quiet.ts'
import { setJobTime } from '../features/jobs/operations/set-time.ts'
import { skipJob } from '../features/jobs/operations/skip.ts'
import { unskipJob } from '../features/jobs/operations/unskip.ts'
import { updateJob } from '../features/jobs/operations/update.ts'
import { setLanguage } from '../features/language/operations/set.ts'
import { showLanguage } from '../features/language/operations/show.ts'
import { memoryAbout } from '../features/memory/operations/about.ts'
import { amendMemory } from '../features/memory/operations/amend.ts'
import { correctMemory } from '../features/memory/operations/correct.ts'
import { forgetMemory } from '../features/memory/operations/forget.ts'
import { forgetAboutMemory } from '../features/memory/operations/forget-about.ts'
import { listMemory } from '../features/memory/operations/list.ts'
import { showMemory } from '../features/memory/operations/show.ts'
import { undoForgetting } from '../features/memory/operations/undo.ts'
import { acknowledgeCloud } from '../features/models/operations/acknowledge.ts'
import { listModels } from '../features/models/operations/list.ts'
import { askNames } from '../features/models/operations/names.ts'
import { putModelBack } from '../features/models/operations/put-back.ts'
import { modelReads } from '../features/models/operations/reads.ts'
import { revokeCloud } from '../features/models/operations/revoke.ts'
import { useModel } from '../features/models/operations/use.ts'
import { invitePersonAgain } from '../features/people/operations/again.ts'
import { invitePerson } from '../features/people/operations/invite.ts'
import { listPeople } from '../features/people/operations/list.ts'
import { revokePerson } from '../features/people/operations/revoke.ts'
import { showPerson } from '../features/people/operations/show.ts'
import { setPersona } from '../features/persona/operations/set.ts'
import { showPersona } from '../features/persona/operations/show.ts'
import { acknowledgeBot } from '../features/places/operations/acknowledge.ts'
import { makeCopy } from '../features/places/operations/copy.ts'
import { lockEdge } from '../features/places/operations/lock.ts'
import { reloadPrompts } from '../features/places/operations/reload.ts'
import { unlockEdge } from '../features/places/operations/unlock.ts'
import { withdrawBot } from '../features/places/operations/withdraw.ts'
import { endQuiet } from '../features/quiet/operations/end.ts'
import { listMissed } from '../features/quiet/operations/missed.ts'
import { notNow } from '../features/quiet/operations/not-now.ts'
import { setQuiet } from '../features/quiet/operations/set.ts'
import { showQuiet } from '../features/quiet/operations/show.ts'
import { answerToReminder } from '../features/reminders/operations/answer.ts'
import { cancelReminder } from '../features/reminders/operations/cancel.ts'
import { doneTask } from '../features/reminders/operations/done.ts'
import { putOffReminder } from '../features/reminders/operations/later.ts'
import { listReminders } from '../features/reminders/operations/list.ts'
import { moveReminder } from '../features/reminders/operations/move.ts'
import { restoreReminders } from '../features/reminders/operations/restore.ts'
import { shareTimes } from '../features/reminders/operations/share.ts'
import { listTasks } from '../features/reminders/operations/tasks.ts'
import { unshareTimes } from '../features/reminders/operations/unshare.ts'
import { cancelScheduled } from '../features/scheduled/operations/cancel.ts'
import { listScheduled } from '../features/scheduled/operations/list.ts'
import { moveScheduled } from '../features/scheduled/operations/move.ts'
import { restoreScheduled } from '../features/scheduled/operations/restore.ts'
import { addSender } from '../features/sender/operations/add.ts'
import { dropSender } from '../features/sender/operations/drop.ts'
import { nameSender } from '../features/sender/operations/name.ts'
import { restoreSender } from '../features/sender/operations/restore.ts'
import { showSender } from '../features/sender/operations/show.ts'
import { signSender } from '../features/sender/operations/sign.ts'
import { unsignSender } from '../features/sender/operations/unsign.ts'
import { useSender } from '../features/sender/operations/use.ts'
import { allowUnasked } from '../features/templates/operations/allow.ts'
import { listTemplates } from '../features/templates/operations/list.ts'
import { switchTemplateOff } from '../features/templates/operations/off.ts'
import { switchTemplateOn } from '../features/templates/operations/on.ts'
import { withdrawUnasked } from '../features/templates/operations/withdraw.ts'
import { checkTool } from '../features/tools/operations/check.ts'
import { listTools } from '../features/tools/operations/list.ts'
import { switchToolOff } from '../features/tools/operations/off.ts'
import { switchToolOn } from '../features/tools/operations/on.ts'
import { removeTool } from '../features/tools/operations/remove.ts'
import { showUsage } from '../features/usage/operations/show.ts'
import { allowWebservice } from '../features/webservices/operations/allow.ts'
import { listWebservices } from '../features/webservices/operations/list.ts'
import { removeWebservice } from '../features/webservices/operations/remove.ts'
import { restoreWebservice } from '../features/webservices/operations/restore.ts'
import { saveWebservice } from '../features/webservices/operations/save.ts'
import { backInZone } from '../features/zone/operations/back.ts'
import { setZone } from '../features/zone/operations/set.ts'
import type { Operation } from './operation.ts'

export const OPERATIONS: readonly Operation[] = Object.freeze([
  ...[listApprovals, showApproval, whyApproval, approveCard, denyCard, editCard, leaveRows],
  ...[listGrants, revokeGrant, allowFreeBusy],
  ...[showHealth, allowHealth, withdrawHealth, forgetHealth],
  ...[showHours, setHours],
  ...[showSender, nameSender, signSender, unsignSender, addSender, useSender, dropSender, restoreSender],
  ...[listPeople, showPerson, invitePerson, invitePersonAgain, revokePerson],
  ...[listIdentities, linkIdentities, unlinkIdentities],
  ...[showPersona, setPersona],
  ...[
    listMemory,
    memoryAbout,
    showMemory,
    forgetMemory,
    forgetAboutMemory,
    undoForgetting,
    correctMemory,
    amendMemory,
  ],
  ...[listReminders, cancelReminder, moveReminder, putOffReminder, listTasks, doneTask],
  ...[answerToReminder, restoreReminders, shareTimes, unshareTimes],
  ...[
    setQuiet,
    endQuiet,
    notNow,
    listScheduled,
    cancelScheduled,
    moveScheduled,
    restoreScheduled,
    showQuiet,
    listMissed,
    setLanguage,
    showLanguage,
    setZone,
    backInZone,
  ],
  ...[
    listContacts,
    findContact,
    contactsAt,
    addContact,
    changeContact,
    renameContact,
    removeContact,
    restoreContact,
    groupContacts,
    joinGroup,
    leaveGroup,
    groupMembers,
    regroupContacts,
  ],
  ...[
    listJobs,
    enableJob,
    pauseJob,
    resumeJob,
    removeJob,
    restoreJob,
    pauseAllJobs,
    resumeAllJobs,
    runJobNow,
  ],
  ...[
    skipJob,
    unskipJob,
    setJobTime,
    putJobBack,
    setJobChat,
    setJobLoud,
    setJobQuiet,
    setJobPage,
    updateJob,
    formerJob,
    dropJobPage,
    showJobRuns,
  ],
  ...[listModels, modelReads, useModel, putModelBack, acknowledgeCloud, revokeCloud, askNames],
  ...[listTemplates, switchTemplateOff, switchTemplateOn, allowUnasked, withdrawUnasked, showFixed],
  ...[listWebservices, allowWebservice, saveWebservice, removeWebservice, restoreWebservice],
  ...[listDirectives, showDirective, directiveHistory, writeDirective, restoreDirective],
  ...[listTools, checkTool, switchToolOff, switchToolOn, removeTool],
  ...[aboutAsking, aboutKnowing, aboutPlaces, aboutThere],
  ...[recentAudit, lastAudit, undoChange, listHousekeeping],
  ...[showUsage, lockEdge, unlockEdge, makeCopy, reloadPrompts],
  ...[acknowledgeBot, withdrawBot],
  showClock,
])

const BY_NAME: ReadonlyMap<string, Operation> = new Map(OPERATIONS.map((one) => [one.name, one]))

export function operationNamed(name: string): Operation | null {
  return BY_NAME.get(name) ?? null
}
