CREATE TABLE `directives` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`file` text NOT NULL,
	`version` integer NOT NULL,
	`at` integer NOT NULL,
	`principal` text NOT NULL,
	`label` text NOT NULL,
	`ref` text NOT NULL,
	`bytes` blob NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `directives_version` ON `directives` (`file`,`version`);--> statement-breakpoint
CREATE TABLE `directive_drafts` (
	`id` text PRIMARY KEY NOT NULL,
	`file` text NOT NULL,
	`at` integer NOT NULL,
	`until` integer NOT NULL,
	`principal` text NOT NULL,
	`label` text NOT NULL,
	`ref` text NOT NULL,
	`bytes` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `directive_drafts_until` ON `directive_drafts` (`until`);