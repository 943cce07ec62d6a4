CREATE TABLE `approvals` (
	`id` text PRIMARY KEY NOT NULL,
	`task` text NOT NULL,
	`step` text NOT NULL,
	`principal` text NOT NULL,
	`tool` text NOT NULL,
	`sink` text NOT NULL,
	`digest` text NOT NULL,
	`reason` text NOT NULL,
	`label` text NOT NULL,
	`place` text NOT NULL,
	`card` text NOT NULL,
	`card_ref` text,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`decided_at` integer,
	`decided_by` text
);
--> statement-breakpoint
CREATE INDEX `approvals_pending` ON `approvals` (`principal`,`created_at`) WHERE state = 'pending';--> statement-breakpoint
CREATE TABLE `audit` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`place` text NOT NULL,
	`kind` text NOT NULL,
	`trace` text,
	`task` text,
	`principal` text,
	`facts` text NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_task` ON `audit` (`task`,`seq`);--> statement-breakpoint
CREATE TABLE `capability_uses` (
	`capability` text PRIMARY KEY NOT NULL,
	`used` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `counters` (
	`principal` text PRIMARY KEY NOT NULL,
	`turn` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`sink` text NOT NULL,
	`principal` text NOT NULL,
	`task` text,
	`turn` integer,
	`kind` text NOT NULL,
	`approval` text,
	`text` text NOT NULL,
	`label` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_id` ON `deliveries` (`id`);--> statement-breakpoint
CREATE INDEX `deliveries_sink` ON `deliveries` (`sink`,`seq`);--> statement-breakpoint
CREATE TABLE `effects` (
	`id` text PRIMARY KEY NOT NULL,
	`task` text NOT NULL,
	`n` integer NOT NULL,
	`status` text NOT NULL,
	`doc` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `effects_open` ON `effects` (`task`,`n`) WHERE status <> 'done';--> statement-breakpoint
CREATE TABLE `events` (
	`principal` text NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`principal`, `id`)
);
--> statement-breakpoint
CREATE INDEX `events_at` ON `events` (`at`);--> statement-breakpoint
CREATE TABLE `facts` (
	`id` text PRIMARY KEY NOT NULL,
	`principal` text NOT NULL,
	`ref` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `facts_principal` ON `facts` (`principal`,`at`);--> statement-breakpoint
CREATE TABLE `memory` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`principal` text NOT NULL,
	`task` text NOT NULL,
	`turn` integer NOT NULL,
	`action` text NOT NULL,
	`record` text NOT NULL,
	`ref` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `memory_record` ON `memory` (`task`,`record`);--> statement-breakpoint
CREATE INDEX `memory_principal` ON `memory` (`principal`,`seq`);--> statement-breakpoint
CREATE TABLE `sealed` (
	`id` text PRIMARY KEY NOT NULL,
	`principal` text NOT NULL,
	`store` text NOT NULL,
	`version` integer NOT NULL,
	`label` text NOT NULL,
	`parts` integer NOT NULL,
	`bytes` blob NOT NULL,
	`until` integer
);
--> statement-breakpoint
CREATE INDEX `sealed_until` ON `sealed` (`until`) WHERE until is not null;--> statement-breakpoint
CREATE TABLE `sealed_parts` (
	`id` text NOT NULL,
	`n` integer NOT NULL,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`id`, `n`)
);
--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`principal` text NOT NULL,
	`turn` integer NOT NULL,
	`final` integer NOT NULL,
	`doc` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tasks_turn` ON `tasks` (`principal`,`turn`);--> statement-breakpoint
CREATE INDEX `tasks_active` ON `tasks` (`principal`,`turn`) WHERE final = 0;--> statement-breakpoint
CREATE TABLE `turns` (
	`principal` text NOT NULL,
	`turn` integer NOT NULL,
	`task` text NOT NULL,
	`words` text NOT NULL,
	`answer` text,
	`at` integer NOT NULL,
	PRIMARY KEY(`principal`, `turn`)
);
