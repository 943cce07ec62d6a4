CREATE TABLE `fact_guards` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`principal` text NOT NULL,
	`guard` text NOT NULL,
	`holds` text NOT NULL,
	`facts` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `fact_guards_guard` ON `fact_guards` (`principal`,`guard`);--> statement-breakpoint
CREATE TABLE `fact_words` (
	`word` integer NOT NULL,
	`slot` integer NOT NULL,
	PRIMARY KEY(`word`, `slot`)
);
--> statement-breakpoint
ALTER TABLE `facts` ADD `guard` integer;--> statement-breakpoint
ALTER TABLE `facts` ADD `slot` integer;--> statement-breakpoint
ALTER TABLE `facts` ADD `words` text;--> statement-breakpoint
CREATE UNIQUE INDEX `facts_slot` ON `facts` (`slot`);--> statement-breakpoint
CREATE INDEX `facts_guard` ON `facts` (`guard`,`at`);--> statement-breakpoint
CREATE INDEX `facts_unindexed` ON `facts` (`principal`,`at`) WHERE slot is null and forgotten is null;