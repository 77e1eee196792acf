"""What is thought and said about results, failures and missing tools, whatever the question was."""

RESULT_THOUGHTS = (
    "The tool returned {raw}.",
    "The tool returned {raw}. I can answer.",
    "The result is {raw}.",
    "I have the result: {raw}.",
    "Python says {raw}.",
    "It printed {raw}. That answers the question.",
    "Now I know: {raw}.",
)
RETRY_THOUGHTS = (
    "The tool failed. I will try again.",
    "That was an error of the tool, not of my code. Once more.",
    "The call failed, so I repeat it.",
    "No result yet. The same call again.",
    "Something went wrong outside of my code. I try again.",
)
GIVEN_UP_THOUGHTS = (
    "The tool failed three times. I give up.",
    "It keeps failing, so I must say so.",
)
GIVEN_UP_ANSWERS = (
    "The tool does not work now, so I cannot work that out.",
    "Python keeps failing here. Please ask again later.",
)
NO_TOOL_THOUGHTS = (
    "I have no tool here, so I cannot work this out.",
    "There is no tool to work this out with.",
    "Without Python I would have to guess.",
)
NO_TOOL_ANSWERS = (
    "I need run_python for that, and it is not offered here.",
    "I cannot work that out without run_python.",
)
DENIED = "The call was not allowed to run."  # the library's own words
DENIED_THOUGHTS = (
    "The call was not allowed.",
    "I was not allowed to run this, so I have no result.",
)
DENIED_ANSWERS = (
    "I was not allowed to run Python, so I cannot work that out.",
    "Without the permission to run Python I cannot say.",
)
