"""Starts MiniStack with what its CloudFormation leaves out of our templates. It ends when its standard input does."""

import os
import signal
import sys
import threading

from ministack import app
from ministack.core import iam_evaluator
from ministack.services import dynamodb, eventbridge, scheduler
from ministack.services.cloudformation import provisioners

HANDLERS = provisioners._RESOURCE_HANDLERS


def completed(resource_type, complete):
    """Lets `complete(physical id, properties)` follow the emulator's own handlers of a type."""
    own = HANDLERS[resource_type]

    def create(logical_id, properties, *rest):
        created = own["create"](logical_id, properties, *rest)
        complete(created[0], properties)
        return created

    def update(physical_id, old_properties, properties, *rest):
        updated = own["update"](physical_id, old_properties, properties, *rest)
        complete(updated[0], properties)
        return updated

    HANDLERS[resource_type] = {**own, "create": create, "update": update}


def call(operation, *arguments):
    """An operation of a service's own API."""
    status, _headers, body = operation(*arguments)
    if status >= 400:
        raise ValueError(body)


def complete_table(name, properties):
    """The emulator takes a global table for its keys and its billing alone."""
    [replica] = properties["Replicas"]
    protection = replica.get("DeletionProtectionEnabled", False)
    call(dynamodb._update_table, {"TableName": name, "DeletionProtectionEnabled": protection})
    if "SSESpecification" in properties:
        encryption = properties["SSESpecification"]
        specification = {"Enabled": encryption["SSEEnabled"], "SSEType": encryption.get("SSEType", "KMS")}
        call(dynamodb._update_table, {"TableName": name, "SSESpecification": specification})
    if "TimeToLiveSpecification" in properties:
        call(dynamodb._update_ttl, {"TableName": name, "TimeToLiveSpecification": properties["TimeToLiveSpecification"]})
    if "PointInTimeRecoverySpecification" in replica:
        recovery = replica["PointInTimeRecoverySpecification"]
        call(dynamodb._update_continuous_backups, {"TableName": name, "PointInTimeRecoverySpecification": recovery})


def complete_schedule(name, properties):
    """The emulator leaves out the time zone and the times of start and end."""
    call(scheduler._update_schedule, name, properties)


def pass_over(resource_type):
    """A type that the emulator has no service for: CloudFormation counts its resources, and nothing is there."""
    HANDLERS[resource_type] = {
        "create": lambda logical_id, _properties, stack_name: (f"{stack_name}-{logical_id}", {}),
        "update": lambda physical_id, *_: (physical_id, {}),
        "delete": lambda *_: None,
    }


def pin_secure_origin(source_ip, _secure_transport):
    """All is HTTP here, which policies refuse."""
    iam_evaluator._request_origin.set((source_ip, True))


def end_with_parent():
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


completed("AWS::DynamoDB::GlobalTable", complete_table)
completed("AWS::Scheduler::Schedule", complete_schedule)
for passed_over in sys.argv[1:]:
    pass_over(passed_over)
app.pin_request_origin = pin_secure_origin
# Nothing fires by itself: tests say when.
scheduler.start_scheduler = eventbridge.start_scheduler = lambda: None

threading.Thread(target=end_with_parent, daemon=True).start()
sys.argv[1:] = []
app.main()
