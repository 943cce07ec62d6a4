CREATE TABLE `memory_numbers` (
	`principal` text NOT NULL,
	`number` integer NOT NULL,
	`entry` text NOT NULL,
	PRIMARY KEY(`principal`, `number`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `memory_number_entry` ON `memory_numbers` (`principal`,`entry`);--> statement-breakpoint
ALTER TABLE `facts` ADD `forgotten` integer;--> statement-breakpoint
ALTER TABLE `memory` ADD `forgotten` integer;