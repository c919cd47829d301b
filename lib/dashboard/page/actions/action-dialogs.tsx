import { BackfillDialog } from "./backfill-dialog.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { DiscardDialog } from "./discard-dialog.tsx";
import { action } from "./open-action.ts";
import { PauseDialog } from "./pause-dialog.tsx";
import { ResendDialog } from "./resend-dialog.tsx";
import { ResumeDialog } from "./resume-dialog.tsx";
import { TriggerDialog } from "./trigger-dialog.tsx";
import { UnlockDialog } from "./unlock-dialog.tsx";

/** The dialog of what an operator is about to do, if anything. */
export function ActionDialogs() {
  const { value } = action;
  switch (value?.kind) {
    case undefined:
      return null;
    case "trigger":
      return <TriggerDialog job={value.job} />;
    case "pause":
      return <PauseDialog job={value.job} />;
    case "resume":
      return <ResumeDialog job={value.job} />;
    case "cancel":
      return <CancelDialog job={value.job} runId={value.runId} />;
    case "unlock":
      return <UnlockDialog job={value.job} />;
    case "backfill":
      return <BackfillDialog {...value} />;
    case "resend":
      return <ResendDialog id={value.id} what={value.what} />;
    case "discard":
      return <DiscardDialog id={value.id} what={value.what} />;
  }
}
